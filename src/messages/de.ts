/**
 * German messages for the `messages` property of `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import type { SpeakerMessages } from './speaker-messages.js';

/** German labels and messages of the controls. */
const messages: SpeakerMessages = {
  lang: 'de',
  playLabel: 'Abspielen',
  pauseLabel: 'Anhalten',
  replayLabel: 'Noch einmal abspielen',
  retryLabel: 'Erneut versuchen',
  volumeLabel: 'Lautstärke',
  progressLabel: 'Abspielposition',
  progressValue: '{time} von {duration}',
  speedLabel: 'Geschwindigkeit',
  downloadLabel: 'Herunterladen',
  downloadCaptionsLabel: 'Untertitel herunterladen',
  previousLabel: 'Voriger Satz',
  nextLabel: 'Nächster Satz',
  timeLeft: 'noch {time}',
  readyStatus: 'Bereit',
  connectingStatus: 'Verbinden…',
  bufferingStatus: 'Puffern…',
  speakingStatus: 'Spricht',
  pausedStatus: 'Angehalten',
  blockedStatus: 'Abspielen drücken',
  errorStatus: 'Nicht gesprochen',
  interruptedStatus: 'Unterbrochen',
  silentStatus: 'Nichts zu sprechen',
  loadError: 'Die Sprachausgabe konnte nicht geladen werden. Versuchen Sie es erneut.',
  networkError: 'Laden fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  busyError: 'Der Sprachdienst ist ausgelastet. Warten Sie einen Moment und versuchen Sie es erneut.',
  signInError: 'Melden Sie sich an, um die Sprachausgabe zu hören.',
  accessError: 'Sie haben keinen Zugriff auf diese Sprachausgabe.',
  unplayableError: 'Diese Sprachausgabe kann nicht abgespielt werden.',
  interruptedError: 'Die Sprachausgabe wurde unterbrochen. Versuchen Sie es erneut.',
  soundError: 'Kein Ton möglich. Prüfen Sie Ihr Audiogerät und laden Sie die Seite neu.',
  fileName: 'Sprachausgabe',
};

export default messages;
