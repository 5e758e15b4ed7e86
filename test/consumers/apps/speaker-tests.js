import 'svc-speaker/define.js';
import 'svc-speaker/inspector.js';

/** Declares tests of a speaker in a DOM without layout and audio; `expect` and `it` are those of the test runner. */
export function testSpeaker({ expect, it }) {
  it('shows its controls', async () => {
    document.body.innerHTML =
      '<svc-speaker controls text="Hello." src="wss://speech.example/stream?token=t"></svc-speaker>';
    const speaker = document.querySelector('svc-speaker');
    await speaker.updateComplete;
    expect(speaker.shadowRoot.querySelector('button')).not.toBeNull();
    expect(speaker.state).toBe('idle');
    speaker.remove();
  });

  it('shows an empty inspector', async () => {
    const inspector = document.createElement('svc-speaker-inspector');
    document.body.append(inspector);
    await inspector.updateComplete;
    expect(inspector.shadowRoot.querySelector('[part=plots]')).not.toBeNull();
    inspector.remove();
  });

  it('treats undefined as null, because frameworks pass undefined', () => {
    const speaker = document.createElement('svc-speaker');
    for (const name of ['session', 'sessionProvider', 'sessionRequest', 'audioContext', 'destination']) {
      speaker[name] = undefined;
      expect(speaker[name]).toBe(null);
    }
  });

  it('fails with an error where audio is not available', async () => {
    const speaker = document.createElement('svc-speaker');
    speaker.src = 'wss://speech.example/stream?token=t';
    document.body.append(speaker);
    await expect(speaker.speak('Hello.').finished).rejects.toThrow();
    expect(speaker.error).not.toBeNull();
    speaker.remove();
  });
}
