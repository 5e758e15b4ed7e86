/**
 * French messages for the `messages` property of `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import type { SpeakerMessages } from './speaker-messages.js';

/** French labels and messages of the controls. */
const messages: SpeakerMessages = {
  lang: 'fr',
  playLabel: 'Lire',
  pauseLabel: 'Pause',
  replayLabel: 'Réécouter',
  retryLabel: 'Réessayer',
  volumeLabel: 'Volume',
  progressLabel: 'Position de lecture',
  progressValue: '{time} sur {duration}',
  speedLabel: 'Vitesse',
  downloadLabel: 'Télécharger',
  downloadCaptionsLabel: 'Télécharger les sous-titres',
  previousLabel: 'Phrase précédente',
  nextLabel: 'Phrase suivante',
  timeLeft: '{time} restantes',
  readyStatus: 'Prêt',
  connectingStatus: 'Connexion…',
  bufferingStatus: 'Chargement…',
  speakingStatus: 'Lecture en cours',
  pausedStatus: 'En pause',
  blockedStatus: 'Appuyez sur Lire',
  errorStatus: 'Non lu',
  interruptedStatus: 'Interrompu',
  silentStatus: 'Rien à lire',
  loadError: 'L’audio n’a pas pu être chargé. Réessayez.',
  networkError: 'L’audio n’a pas pu être chargé. Vérifiez votre connexion et réessayez.',
  busyError: 'Le service vocal est surchargé. Patientez un instant et réessayez.',
  signInError: 'Connectez-vous pour écouter cet audio.',
  accessError: 'Vous n’avez pas accès à cet audio.',
  unplayableError: 'Cet audio ne peut pas être lu.',
  interruptedError: 'La lecture a été interrompue. Réessayez.',
  soundError: 'Aucun son possible. Vérifiez votre périphérique audio et rechargez la page.',
  fileName: 'audio',
};

export default messages;
