/**
 * Spanish messages for the `messages` property of `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import type { SpeakerMessages } from './speaker-messages.js';

/** Spanish labels and messages of the controls. */
const messages: SpeakerMessages = {
  lang: 'es',
  playLabel: 'Reproducir',
  pauseLabel: 'Pausar',
  replayLabel: 'Volver a reproducir',
  retryLabel: 'Reintentar',
  volumeLabel: 'Volumen',
  progressLabel: 'Posición',
  progressValue: '{time} de {duration}',
  speedLabel: 'Velocidad',
  downloadLabel: 'Descargar',
  downloadCaptionsLabel: 'Descargar subtítulos',
  previousLabel: 'Frase anterior',
  nextLabel: 'Frase siguiente',
  timeLeft: 'quedan {time}',
  readyStatus: 'Listo',
  connectingStatus: 'Conectando…',
  bufferingStatus: 'Cargando…',
  speakingStatus: 'Hablando',
  pausedStatus: 'En pausa',
  blockedStatus: 'Pulsa Reproducir',
  errorStatus: 'No reproducido',
  interruptedStatus: 'Interrumpido',
  silentStatus: 'Nada que decir',
  loadError: 'No se pudo cargar el audio. Inténtalo de nuevo.',
  networkError: 'No se pudo cargar el audio. Comprueba tu conexión e inténtalo de nuevo.',
  busyError: 'El servicio de voz está ocupado. Espera un momento e inténtalo de nuevo.',
  signInError: 'Inicia sesión para escuchar el audio.',
  accessError: 'No tienes acceso a este audio.',
  unplayableError: 'Este audio no se puede reproducir.',
  interruptedError: 'El audio se interrumpió. Inténtalo de nuevo.',
  soundError: 'No hay sonido. Comprueba tu dispositivo de audio y recarga la página.',
  fileName: 'audio',
};

export default messages;
