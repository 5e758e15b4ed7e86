import {
  ResultReason,
  SpeechConfig,
  SpeechSynthesisOutputFormat,
  SpeechSynthesizer,
} from 'microsoft-cognitiveservices-speech-sdk';

/**
 * Requests the speech of `azure` in docs/examples/backend/audio-stream.js. This SDK uses a WebSocket, and writes the
 * SSML itself.
 */
export function azure(text: string, region = 'westeurope'): Promise<Response> {
  const config = SpeechConfig.fromSubscription(process.env['AZURE_SPEECH_KEY']!, region);
  config.speechSynthesisVoiceName = 'en-US-AvaMultilingualNeural';
  config.speechSynthesisOutputFormat = SpeechSynthesisOutputFormat.Raw24Khz16BitMonoPcm;
  // Without an audio device: `null`.
  const synthesizer = new SpeechSynthesizer(config, null);

  return new Promise((resolve, reject) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const fail = (cause: string): void => {
          const error = new Error(cause);
          reject(error);
          controller.error(error);
          synthesizer.close();
        };
        synthesizer.synthesisStarted = () => resolve(new Response(body));
        synthesizer.synthesizing = (_, { result }) => controller.enqueue(new Uint8Array(result.audioData));
        synthesizer.speakTextAsync(
          text,
          ({ reason, errorDetails }) => {
            if (reason !== ResultReason.SynthesizingAudioCompleted) return fail(errorDetails);
            controller.close();
            synthesizer.close();
          },
          fail,
        );
      },
      cancel: () => synthesizer.close(),
    });
  });
}
