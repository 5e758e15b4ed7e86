const languages = {
  ar: () => import('svc-speaker/messages/ar.js'),
  de: () => import('svc-speaker/messages/de.js'),
  es: () => import('svc-speaker/messages/es.js'),
  fr: () => import('svc-speaker/messages/fr.js'),
  ja: () => import('svc-speaker/messages/ja.js'),
};

/** Sets the messages in the language of the page around the speaker. */
export async function translate(speaker) {
  const { lang = '' } = speaker.closest('[lang]') ?? {};
  const load = languages[lang.split('-')[0]];
  speaker.messages = load ? (await load()).default : null;
}
