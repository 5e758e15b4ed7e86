// #region start
import { createService } from 'svc-service';
const { url, apiKey, close } = await createService({ port: 0 }); // in memory by default
// #endregion

export { apiKey, close, url };
