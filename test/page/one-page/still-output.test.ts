import { expect } from 'chai';
import { exact, SPEECH_RATE } from '../support/sound.js';
import { closeOwnContexts, ownContext } from '../support/own-contexts.js';
import { next, removeSpeakers, speakerOf } from '../support/speaker.js';
import { forceSampleRate, freeze } from '../support/tap.js';
import { WATCH_MS, withoutWaiting } from '../support/timers.js';

describe('The state of <svc-speaker> while its output stands still', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(closeOwnContexts);
  afterEach(removeSpeakers);

  async function speaking(context: AudioContext | null) {
    const speaker = speakerOf({ tone: 440, seconds: 30 }, exact);
    speaker.audioContext = context;
    await speaker.speak('Tone.').started;
    expect(speaker.state).to.equal('playing');
    const own = speaker.outputNode!.context as AudioContext;
    let resumes = 0;
    const resume = own.resume.bind(own);
    own.resume = () => {
      resumes++;
      return resume();
    };
    return { speaker, own, resume, resumes: () => resumes };
  }

  it('is buffering while the page has suspended its own context, which only play() or the page resumes', async () => {
    const { speaker, own, resume, resumes } = await speaking(ownContext());
    let waits = next(speaker, 'waiting');
    await own.suspend();
    await waits;
    expect([speaker.state, speaker.paused]).to.deep.equal(['buffering', false]);
    speaker.speak('More.').finished.catch(() => {});
    const position = speaker.currentTime;
    await new Promise((resolve) => setTimeout(resolve, 300)); // time in which it could be resumed
    expect([own.state, resumes(), speaker.state]).to.deep.equal(['suspended', 0, 'buffering']);
    expect(speaker.currentTime).to.be.closeTo(position, 0.05);
    let plays = next(speaker, 'playing');
    await resume();
    await plays;
    expect([speaker.state, resumes()]).to.deep.equal(['playing', 0]);
    waits = next(speaker, 'waiting');
    await own.suspend();
    await waits;
    plays = next(speaker, 'playing');
    await speaker.play();
    await plays;
    expect([speaker.state, resumes()]).to.deep.equal(['playing', 1]);
  });

  it('comes back by itself after someone has suspended our context', async () => {
    const { speaker, own } = await speaking(null);
    const waits = next(speaker, 'waiting');
    const plays = next(speaker, 'playing');
    await own.suspend();
    await waits;
    await plays;
    expect([own.state, speaker.state]).to.deep.equal(['running', 'playing']);
  });

  for (const whose of ['our', "the page's"]) {
    it(`is buffering while the system interrupts ${whose} context, which is not resumed meanwhile`, async () => {
      const { speaker, own, resumes } = await speaking(whose === 'our' ? null : ownContext());
      // No test can interrupt a context in an engine, so its state is imitated.
      Object.defineProperty(own, 'state', { get: () => 'interrupted', configurable: true });
      own.dispatchEvent(new Event('statechange'));
      expect(speaker.state).to.equal('buffering');
      document.body.click();
      const plays = speaker.play();
      plays.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 300)); // time in which it could be resumed
      expect([speaker.state, resumes()]).to.deep.equal(['buffering', 0]);
      Reflect.deleteProperty(own, 'state');
      own.dispatchEvent(new Event('statechange'));
      expect(speaker.state).to.equal('playing');
      await plays;
    });
  }

  it('is buffering while the clock of the context of the page stands, and playing when it moves again', async () => {
    const { speaker, own, resume } = await speaking(ownContext());
    const waits = next(speaker, 'waiting');
    await freeze(own);
    await withoutWaiting(() => waits, WATCH_MS);
    expect(speaker.state).to.equal('buffering');
    const plays = next(speaker, 'playing');
    Reflect.deleteProperty(own, 'state');
    await resume();
    await withoutWaiting(() => plays, WATCH_MS);
    expect(speaker.state).to.equal('playing');
  });
});
