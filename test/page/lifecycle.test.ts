import { expect } from 'chai';
import { type FramesSpec, speaking } from '../../src/testing/script.js';
import { assertHeard, exact, expected, placeOf, SPEECH_RATE } from './support/sound.js';
import { spareContexts } from './support/engine.js';
import { nothingLeft } from './support/nothing-left.js';
import {
  endedConnection,
  gatewayLog,
  makeSpeaker,
  next,
  onAndOn,
  rejection,
  removeSpeakers,
  scriptedSessions,
  scriptedSpeaker,
  sessionUrl,
  speakerOf,
} from './support/speaker.js';
import {
  becomes,
  connectedNodes,
  forceSampleRate,
  heard,
  madeContexts,
  openContexts,
  runningProcessors,
} from './support/tap.js';
import { withoutWaiting } from './support/timers.js';
import { madeWorkers, openWorkers } from './support/workers.js';

/** Shorter than the default target delay, so playback starts when all of it has arrived. */
const short: FramesSpec = { noise: 50, seconds: 0.1 };

const { resume } = AudioContext.prototype;

/** Returns the state of the context at each call of `resume()` from now on. */
function spyOnResume(): AudioContextState[] {
  const states: AudioContextState[] = [];
  AudioContext.prototype.resume = function (this: AudioContext) {
    states.push(this.state);
    return resume.call(this);
  };
  return states;
}

describe('<svc-speaker> in the page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(() => {
    AudioContext.prototype.resume = resume;
    return removeSpeakers();
  });

  it('leaves nothing behind after 100 speakers were added and removed', async () => {
    /** Events at which a speaker is removed. At the last one, it has played everything. */
    const moments = ['loadstart', 'loadedmetadata', 'canplay', 'playing', 'ended'] as const;
    const live = async (number: number): Promise<void> => {
      const speaker = speakerOf({ noise: number, seconds: 0.05 });
      const moment = next(speaker, moments[number % moments.length]!);
      speaker.speak('Hello and goodbye.');
      await moment;
      speaker.remove();
    };
    // Chromium delays the sockets of a page that opens more than sixteen at a time.
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => live(10 * batch + index)));
    }
    await nothingLeft();
  });

  it('shares one context and one worker with 40 speakers that follow one another', async () => {
    const before = [madeContexts(), madeWorkers()];
    const resumedIn = spyOnResume();
    for (let number = 0; number < 40; number++) {
      const speaker = speakerOf({ noise: number, seconds: 0.05 });
      await speaker.speak('Hello and goodbye.').started;
      speaker.remove();
      await Promise.resolve();
    }
    await nothingLeft();
    expect(madeContexts() - before[0]!).to.be.at.most(2);
    expect(madeWorkers() - before[1]!).to.be.at.most(2);
    // Quirk `webkitgtk-resume-hang`: `resume()` of a running context can hang the page.
    expect(resumedIn).to.not.include('running');
  });

  it('disconnects its node and ends its processor when it is removed, while another one speaks', async () => {
    const stays = scriptedSpeaker(onAndOn);
    stays.speak('On and on.');
    await next(stays, 'playing');
    const goes = speakerOf(short);
    await goes.speak('Bye.').finished;
    expect(connectedNodes()).to.equal(2);
    expect(await runningProcessors()).to.equal(2);
    goes.remove();
    while ((await runningProcessors()) > 1 || connectedNodes() > 1);
    expect(openContexts()).to.have.length(1);
    expect(openWorkers()).to.equal(1);
  });

  it('closes its socket and rejects its utterances at once when it is removed', async () => {
    const { speaker, sessions } = scriptedSessions([onAndOn]);
    const utterances = [speaker.speak('On and on.'), speaker.speak('And on.')];
    await next(speaker, 'playing');
    speaker.remove();
    for (const { finished } of utterances) expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    expect(speaker.paused).to.equal(true);
    expect(speaker.networkState).to.equal(0);
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
    await nothingLeft();
  });

  it('leaves nothing behind when it is removed before it has a session', async () => {
    const speaker = makeSpeaker();
    const asked = new Promise<AbortSignal>((resolve) => {
      speaker.sessionProvider = ({ signal }) => {
        resolve(signal);
        return new Promise(() => {});
      };
    });
    const { finished } = speaker.speak('Unheard.');
    const signal = await asked;
    speaker.remove();
    expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    expect(signal.aborted).to.equal(true);
    await nothingLeft();
  });

  it('leaves nothing behind when it is removed while it connects', async () => {
    for (let turns = 0; turns < 10; turns++) {
      const speaker = makeSpeaker();
      const url = sessionUrl(speaking(short));
      const session = new Promise<void>((resolve) => {
        speaker.sessionProvider = () => {
          resolve();
          return Promise.resolve(url);
        };
      });
      const played = speaker.play();
      await session;
      for (let turn = 0; turn < turns; turn++) await gatewayLog(url);
      speaker.remove();
      expect(((await rejection(played)) as Error).name).to.equal('AbortError');
    }
    await nothingLeft();
  });

  it('plays without interruption while it is moved in the document', async () => {
    const frames: FramesSpec = { noise: 52, seconds: 0.4 };
    const speaker = speakerOf(frames, exact);
    let moved = 0;
    const move = (): void => {
      const room = document.createElement('div');
      document.body.append(room);
      room.append(speaker);
      moved++;
    };
    for (const type of ['loadedmetadata', 'canplay', 'playing', 'timeupdate'] as const) {
      speaker.addEventListener(type, move);
    }
    await speaker.speak('Moving house.').finished;
    assertHeard(await heard(), [expected(frames)]);
    expect(moved).to.be.at.least(4);
  });

  it('speaks again after it was removed and inserted again', async () => {
    const speaker = speakerOf(short, exact);
    await speaker.speak('One.').finished;
    speaker.remove();
    await nothingLeft();
    document.body.append(speaker);
    await speaker.speak('Two.').finished;
    assertHeard(await heard(), [expected(short)]);
  });

  it('shares one context and one worker with another speaker that plays at the same time', async () => {
    const long: FramesSpec = { noise: 53, seconds: 20 };
    const one = speakerOf(long, exact);
    const two: FramesSpec = { noise: 54, seconds: 0.1 };
    one.speak('On and on.');
    await next(one, 'utterancestart');
    await speakerOf(two, exact).speak('Meanwhile.').finished;
    expect(one.ended).to.equal(false);
    expect(openContexts()).to.have.length(1);
    expect(openWorkers()).to.equal(1);
    const sum = await heard();
    const from = placeOf(sum, expected({ ...long, seconds: 0.02 }));
    // 16-bit samples are added and subtracted exactly in 32-bit floating point.
    const reference = expected(long);
    const rest = sum.slice(from).map((sample, index) => sample - (reference[index] ?? 0));
    placeOf(rest, expected(two));
  });

  it('suspends the context when nothing plays, and resumes it for the next utterance', async () => {
    const speaker = speakerOf(short, exact);
    const { started, finished } = speaker.speak('One.');
    await started;
    const [context] = openContexts();
    await finished;
    assertHeard(await heard(), [expected(short)]);
    await withoutWaiting(() => becomes(context!, 'suspended'), 5000);
    const made = madeContexts();
    await Promise.all([becomes(context!, 'running'), speaker.speak('Two.').finished]);
    assertHeard(await heard(openContexts().at(-1)), [expected(short)]);
    expect(madeContexts() - made).to.be.at.most(spareContexts);
  });

  it('speaks while the browser is suspending the context', async () => {
    const speaker = speakerOf(short, exact);
    await speaker.speak('One.').finished;
    assertHeard(await heard(), [expected(short)]);
    const [context] = openContexts();
    const made = madeContexts();
    let second: Promise<unknown> | undefined;
    const suspending = new Promise<void>((resolve) => {
      context!.suspend = () => {
        const suspended = AudioContext.prototype.suspend.call(context);
        second = speaker.speak('Two.').finished;
        resolve();
        return suspended;
      };
    });
    await withoutWaiting(() => suspending, 5000);
    await second;
    assertHeard(await heard(openContexts().at(-1)), [expected(short)]);
    expect(madeContexts() - made).to.be.at.most(spareContexts);
  });
});
