/** Runs on the audio thread. Posts what the microphone hears, as samples of 16 bits, eight times a second. */
const PROCESSOR = `
  registerProcessor('microphone', class extends AudioWorkletProcessor {
    samples = new Int16Array(sampleRate / 8);
    length = 0;
    process([[channel = []]]) {
      for (const sample of channel) {
        this.samples[this.length++] = Math.max(-1, Math.min(1, sample)) * 32767;
        if (this.length < this.samples.length) continue;
        this.port.postMessage(this.samples);
        this.length = 0;
      }
      return true;
    }
  });`;

/** Opens the microphone. `sendTo()` sends it to a socket until the socket closes. */
export async function openMicrophone() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true } });
  const context = new AudioContext();
  const url = URL.createObjectURL(new Blob([PROCESSOR], { type: 'text/javascript' }));
  await context.audioWorklet.addModule(url);
  const node = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 });
  context.createMediaStreamSource(stream).connect(node);
  return {
    sampleRate: context.sampleRate,
    sendTo(socket) {
      node.port.onmessage = ({ data }) => socket.readyState === WebSocket.OPEN && socket.send(data);
      socket.addEventListener('close', () => {
        for (const track of stream.getTracks()) track.stop();
        void context.close();
      });
    },
  };
}
