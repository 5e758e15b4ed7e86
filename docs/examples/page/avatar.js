/** Moves a mouth with the sound: calls `draw` with 0 (closed) to 1 (wide open) in each frame while sound is playing. */
export function moveMouth(speaker, draw) {
  const samples = new Float32Array(1024);
  let node, analyser, picture;

  speaker.addEventListener('playing', () => {
    if (speaker.outputNode !== node) listen(speaker.outputNode); // speech at another rate has another node
    cancelAnimationFrame(picture);
    step();
  });

  function listen(next) {
    node = next;
    const { context } = node;
    const delay = context.createDelay(1);
    // Sound is heard this long after it has left the graph.
    delay.delayTime.value = Math.min(1, speaker.getStats().outputLatency ?? 0);
    analyser = context.createAnalyser();
    analyser.fftSize = samples.length;
    node.connect(delay).connect(analyser);
  }

  function step() {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    const decibels = 10 * Math.log10(power);
    const silent = speaker.paused || speaker.ended;
    draw(silent ? 0 : Math.max(0, Math.min(1, (decibels + 45) / 30)));
    if (!silent) picture = requestAnimationFrame(step);
  }
}
