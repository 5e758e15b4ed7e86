// The service worker. Chrome starts it for an event and ends it soon after.
async function read(text) {
  if (!(await chrome.offscreen.hasDocument())) {
    await chrome.offscreen.createDocument({
      url: 'offscreen.html',
      reasons: ['AUDIO_PLAYBACK'],
      justification: 'Reads the selected text aloud.',
    });
  }
  await chrome.runtime.sendMessage({ read: text });
}

chrome.contextMenus.onClicked.addListener(({ selectionText }) => read(selectionText));
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: 'read', title: 'Read aloud', contexts: ['selection'] });
});
