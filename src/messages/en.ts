import type { SpeakerMessages } from './speaker-messages.js';

/** English messages, which a speaker has by default. */
const messages: SpeakerMessages = {
  lang: 'en',
  playLabel: 'Play',
  pauseLabel: 'Pause',
  replayLabel: 'Play again',
  retryLabel: 'Try again',
  volumeLabel: 'Volume',
  progressLabel: 'Position',
  progressValue: '{time} of {duration}',
  speedLabel: 'Speed',
  downloadLabel: 'Download',
  downloadCaptionsLabel: 'Download captions',
  previousLabel: 'Previous sentence',
  nextLabel: 'Next sentence',
  timeLeft: '{time} left',
  readyStatus: 'Ready',
  connectingStatus: 'Connecting…',
  bufferingStatus: 'Buffering…',
  speakingStatus: 'Speaking',
  pausedStatus: 'Paused',
  blockedStatus: 'Press play',
  errorStatus: 'Not spoken',
  interruptedStatus: 'Interrupted',
  silentStatus: 'Nothing to say',
  loadError: 'The speech could not be loaded. Try again.',
  networkError: 'The speech could not be loaded. Check your connection and try again.',
  busyError: 'The speech service is busy. Wait a moment and try again.',
  signInError: 'Sign in to hear the speech.',
  accessError: 'You do not have access to this speech.',
  unplayableError: 'This speech cannot be played.',
  interruptedError: 'The speech was interrupted. Try again.',
  soundError: 'No sound can be played. Check your audio device and reload the page.',
  fileName: 'speech',
};

export default messages;
