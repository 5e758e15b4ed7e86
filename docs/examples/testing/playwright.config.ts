import { defineConfig } from '@playwright/test';

export default defineConfig({
  // #region sound
  use: { launchOptions: { ignoreDefaultArgs: ['--mute-audio'] } },
  workers: 1,
  // #endregion
});
