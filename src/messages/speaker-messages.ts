/**
 * Labels and messages of the controls in one language. Each label and status has a slot of the same name (`play-label`),
 * which takes precedence.
 */
export interface SpeakerMessages {
  /** Language of the messages as a BCP 47 tag, by which numbers and times are written too: `de`, `ar-EG`. */
  readonly lang: string;

  /** Label of the button when it plays. */
  readonly playLabel: string;
  /** Label of the button when it pauses. */
  readonly pauseLabel: string;
  /** Label of the button when it plays again what has been heard. */
  readonly replayLabel: string;
  /** Label of the button after an error. */
  readonly retryLabel: string;
  /** Label of the volume slider. */
  readonly volumeLabel: string;
  /** Label of the progress bar. */
  readonly progressLabel: string;
  /** Value of the progress bar for assistive technology: `{time}` and `{duration}` stand for times such as `5 seconds`. */
  readonly progressValue: string;
  /** Label of the speed menu. */
  readonly speedLabel: string;
  /** Label of the download button. */
  readonly downloadLabel: string;
  /** Label of the button that saves captions. */
  readonly downloadCaptionsLabel: string;
  /** Label of the reader's button for the previous sentence. */
  readonly previousLabel: string;
  /** Label of the reader's button for the next sentence. */
  readonly nextLabel: string;
  /** Time until the end of a reading: `{time}` stands for a time such as `3:20`. */
  readonly timeLeft: string;

  /** Status when there is nothing to play. */
  readonly readyStatus: string;
  /** Status while a session is requested. */
  readonly connectingStatus: string;
  /** Status while speech is awaited. */
  readonly bufferingStatus: string;
  /** Status while sound is playing. */
  readonly speakingStatus: string;
  /** Status while paused. */
  readonly pausedStatus: string;
  /** Status while the browser requires a gesture. */
  readonly blockedStatus: string;
  /** Status after an error. */
  readonly errorStatus: string;
  /** Status after an error in the middle of speech. */
  readonly interruptedStatus: string;
  /** Status when `play()` has nothing to say. */
  readonly silentStatus: string;

  /** Error for which no other sentence is more exact. */
  readonly loadError: string;
  /** Error when there is no answer from the network. */
  readonly networkError: string;
  /** Error when the service asks for patience: HTTP status 429 or 503. */
  readonly busyError: string;
  /** Error when the user has to sign in: HTTP status 401. */
  readonly signInError: string;
  /** Error when the user may not hear the speech: HTTP status 403. */
  readonly accessError: string;
  /** Error that another attempt does not fix, such as an unsupported format. */
  readonly unplayableError: string;
  /** Error in the middle of speech. */
  readonly interruptedError: string;
  /** Error when the browser or the device plays no sound. */
  readonly soundError: string;

  /** Name of a saved file, without its ending, if the speech has no words. */
  readonly fileName: string;
}
