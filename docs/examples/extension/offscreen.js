const speaker = document.querySelector('svc-speaker');
// An extension has no server of its own. This server knows the users and has the API key.
speaker.sessionProvider = async ({ signal }) => {
  const response = await fetch('https://app.example.com/speech/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
    signal,
  });
  if (!response.ok) throw new Error(`The session call was answered with ${response.status}.`);
  return response.json();
};

chrome.runtime.onMessage.addListener(({ read }) => {
  speaker.cancel();
  speaker.speak(read);
});
