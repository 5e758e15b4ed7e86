import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');

/** Requests a session from a route of this site's backend. */
async function sessionFrom(route, signal) {
  const body = JSON.stringify({ timings: 'words' });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(route, { method: 'POST', headers, body, signal });
  if (!response.ok) throw new Error(`${route} answered ${response.status}.`);
  return response.json();
}

speaker.sessionProvider = async ({ reason, signal }) => {
  // `retry` and `resume`: the socket of the session before has died.
  if (reason === 'retry' || reason === 'resume') return sessionFrom('/speech/second/session', signal);
  try {
    return await sessionFrom('/speech/first/session', signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return sessionFrom('/speech/second/session', signal);
  }
};
