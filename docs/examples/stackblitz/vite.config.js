// Cross-origin isolation, so that samples reach the audio thread through shared memory. Speech works without it, too.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default { server: { headers }, preview: { headers } };
