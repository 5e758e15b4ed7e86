// avatar.js
import { AvatarBundleError, decryptAvatarBundle, SvcClient } from 'svc-speaker/backend.js';

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;
const client = new SvcClient({ baseUrl, apiKey });

export async function readAvatar(id) {
  const { payload } = await client.getAvatarBundle(id);
  try {
    return await decryptAvatarBundle(payload, apiKey);
  } catch (error) {
    if (error instanceof AvatarBundleError) console.error(error.reason); // unknown-format, not-opened
    throw error;
  }
}
