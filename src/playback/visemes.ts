/** A position of the mouth: one of the 15 of the Oculus lip-sync reference, which Meta's avatars use. */
export type Viseme =
  | 'sil'
  | 'PP'
  | 'FF'
  | 'TH'
  | 'DD'
  | 'kk'
  | 'CH'
  | 'SS'
  | 'nn'
  | 'RR'
  | 'aa'
  | 'E'
  | 'I'
  | 'O'
  | 'U';

/** Sounds in ARPAbet of each viseme. A diphthong has the viseme of its beginning. */
const SOUNDS: Readonly<Record<Viseme, string>> = {
  sil: 'pau sil h#',
  PP: 'p b m',
  FF: 'f v',
  TH: 'th dh',
  DD: 't d dx',
  kk: 'k g ng hh',
  CH: 'ch jh sh zh',
  SS: 's z',
  nn: 'n l en el nx',
  RR: 'r er axr',
  aa: 'aa ae ah ax ay aw',
  E: 'eh ey',
  I: 'ih ix iy y',
  O: 'ao ow oy',
  U: 'uh uw ux w wh',
};

const VISEMES = new Map(
  Object.entries(SOUNDS).flatMap(([viseme, sounds]) => sounds.split(' ').map((sound) => [sound, viseme as Viseme])),
);

/** Returns the viseme of a sound in ARPAbet, with or without stress; `sil` for one that is not known. */
export function visemeOf(phone: string): Viseme {
  return VISEMES.get(phone.toLowerCase().replace(/\d$/, '')) ?? 'sil';
}
