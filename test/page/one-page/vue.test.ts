import { expect } from 'chai';
import {
  type App,
  compile,
  createApp,
  createSSRApp,
  isProxy,
  nextTick,
  reactive,
  ref,
  shallowReactive,
  watchEffect,
} from 'vue';
import { renderToString } from 'vue/server-renderer';
import type { SessionProvider, SvcSpeakerElement } from '../../../src/index.js';
import svcSpeaker, { type SvcSpeakerProps, useSpeaker } from '../../../src/vue/index.js';
import { speaking } from '../../../src/testing/script.js';
import {
  expectNoComplaints,
  expectValues,
  listenForComplaints,
  makePlace,
  onlySpeaker,
  Renders,
  settings,
  settingsOf,
  short,
  unspoken,
} from '../support/framework.js';
import {
  endedConnection,
  gatewayLog,
  journal,
  next,
  onAndOn,
  removeSpeakers,
  sessionResponse,
  sessionUrl,
} from '../support/speaker.js';

type Heard = (event: Event) => void;

let app: App | undefined;

/** Creates an application with one template that renders `data`. It is not mounted yet. */
function make(template: string, data: object = {}, create = createApp): App {
  app = create({ render: compile(template), setup: () => data }).use(svcSpeaker);
  return app;
}

/** Renders these props. `nextTick()` resolves when changes are rendered. */
function mount(given: SvcSpeakerProps): { speaker: SvcSpeakerElement; props: SvcSpeakerProps } {
  const props = shallowReactive(given);
  make('<SvcSpeaker v-bind="props" />', { props }).mount(makePlace());
  return { speaker: onlySpeaker(), props };
}

describe('SvcSpeaker in Vue', () => {
  beforeEach(listenForComplaints);
  afterEach(async () => {
    app?.unmount();
    app = undefined;
    await removeSpeakers();
    expectNoComplaints();
  });

  it('plays automatically once, over one socket, and calls its listeners', async () => {
    const url = sessionUrl(speaking(short));
    const asked: string[] = [];
    const told: string[] = [];
    const speaker = ref<SvcSpeakerElement>();
    const provider: SessionProvider = ({ reason }) => {
      asked.push(reason);
      return Promise.resolve(url);
    };
    await new Promise<Event>((resolve) => {
      const note: Heard = ({ type }) => told.push(type);
      const template = `<SvcSpeaker ref="speaker" :session-provider="provider" text="Hello." autoplay controls
        @play="note" @utterancestart="({ utterance }) => note({ type: utterance.text })"
        @utteranceend="note" @ended.once="resolve"><span slot="play-label">Listen</span></SvcSpeaker>`;
      make(template, { speaker, provider, note, resolve }).mount(makePlace());
      expect(speaker.value === onlySpeaker()).to.equal(true);
    });
    expect(told).to.deep.equal(['play', 'Hello.', 'utteranceend']);
    expect(asked).to.deep.equal(['play']);
    expect(onlySpeaker().textContent).to.equal('Listen');
    await endedConnection(url);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });

  it('is muted initially, and follows the prop', async () => {
    const { speaker, props } = mount({ muted: true });
    expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([true, true]);
    props.muted = false;
    await nextTick();
    expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([false, true]);
  });

  it('sets its props, and restores the default of a prop that is removed', async () => {
    const { speaker, props } = mount({ ...settings });
    expect(settingsOf(speaker)).to.deep.equal(settings);
    const changes: MutationRecord[] = [];
    const watch = new MutationObserver((some) => changes.push(...some));
    watch.observe(speaker, { attributeFilter: ['text'], attributeOldValue: true });
    for (const name of Object.keys(settings)) Reflect.deleteProperty(props, name);
    await nextTick();
    expect(settingsOf(speaker)).to.deep.equal(settingsOf(document.createElement('svc-speaker')));
    // Without the wrapper, Vue would first set it to an empty string.
    changes.push(...watch.takeRecords());
    expect(changes.map(({ oldValue }) => oldValue)).to.deep.equal(['Hello.']);
    watch.disconnect();
  });

  it('continues when it gets a session of the same URL, and another text', async () => {
    const url = sessionUrl(onAndOn);
    const session = sessionResponse(url);
    const { speaker, props } = mount({ session, text: 'On and on.', autoplay: true });
    await next(speaker, 'utterancestart');
    const events = journal(speaker);
    Object.assign(props, { session: { ...session }, text: 'Later.' });
    await nextTick();
    expect(speaker.text).to.equal('Later.');
    expect(events).to.deep.equal([]);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });

  it('passes on reactive objects unwrapped', async () => {
    const messages = [
      { type: 'synthesize', context_id: 'own', text: 'Hello.' },
      { type: 'end', context_id: 'own' },
    ];
    const url = sessionUrl(speaking(short));
    const context = new AudioContext();
    const data = reactive({
      session: { url, gateway: 'test', protocol: 'svctts.v1', voice_id: 'any', format: 'pcm_s16le', messages },
      request: { voice_id: 'anna' },
      context,
    });
    Object.assign(data.session, { sample_rate: 24000 });
    make('<SvcSpeaker :session="session" :session-request="request" :audio-context="context" autoplay />', data).mount(
      makePlace(),
    );
    const speaker = onlySpeaker();
    expect(speaker.audioContext).to.equal(context);
    expect(isProxy(speaker.session)).to.equal(false);
    await next(speaker, 'ended');
    data.request.voice_id = 'otto';
    await nextTick();
    expect(speaker.sessionRequest).to.deep.equal({ voice_id: 'otto' });
    await context.close();
  });

  it('closes the socket at once when it is unmounted, and reports it', async () => {
    const url = sessionUrl(onAndOn);
    const shown = ref(true);
    const closed = new Promise<Event>((resolve) => {
      const hide = () => (shown.value = false);
      const template = `<SvcSpeaker v-if="shown" :src="url" text="On and on." autoplay @playing="hide" @socketclose="resolve" />`;
      make(template, { shown, url, hide, resolve }).mount(makePlace());
    });
    expect(((await closed) as Event & { code: number }).code).to.equal(1000);
    expect((await endedConnection(url)).closed!.code).to.equal(1000);
    expect(document.querySelector('svc-speaker')).to.equal(null);
  });

  it('hydrates a speaker that a server rendered and that speaks already', async () => {
    const url = sessionUrl(onAndOn);
    const given = { ...settings, src: url, text: 'On and on.', workerUrl: undefined, workletUrl: undefined };
    const template = '<main><SvcSpeaker class="loud" v-bind="given" @timeupdate="heard">Listen</SvcSpeaker></main>';
    const place = makePlace(await renderToString(make(template, { given, heard: () => {} }, createSSRApp)));
    app = undefined;
    const speaker = onlySpeaker();
    await next(speaker, 'utterancestart');
    expect([speaker.muted, speaker.volume]).to.deep.equal([true, 1]);
    const events = journal(speaker);
    await new Promise((resolve) => {
      make(template, { given, heard: resolve }, createSSRApp).mount(place);
    });
    expect(onlySpeaker() === speaker).to.equal(true);
    expect(settingsOf(speaker)).to.deep.equal({ ...settings, text: 'On and on.', workerUrl: '', workletUrl: '' });
    expect(events).to.deep.equal([]);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });

  it('does not change the bare element', async () => {
    const url = sessionUrl(speaking(short));
    const provider: SessionProvider = () => Promise.resolve(url);
    await new Promise((resolve) => {
      const template =
        '<svc-speaker .sessionProvider="provider" text="Hello." autoplay :volume="0.5" @ended="resolve" />';
      make(template, { provider, resolve }).mount(makePlace());
    });
    expect(onlySpeaker().volume).to.equal(0.5);
  });
});

describe('useSpeaker in Vue', () => {
  afterEach(async () => {
    app?.unmount();
    app = undefined;
    await removeSpeakers();
  });

  it('has the values of the speaker, and the initial values when it is gone', async () => {
    const renders = new Renders();
    const isThere = ref(true);
    const speaker = ref<SvcSpeakerElement>();
    app = createApp({
      render: compile('<SvcSpeaker v-if="isThere" ref="speaker" />'),
      setup: () => {
        const { state, currentTime, duration, heard, ducked, error } = useSpeaker(speaker);
        watchEffect(() =>
          renders.add({
            state: state.value,
            currentTime: currentTime.value,
            duration: duration.value,
            heard: heard.value,
            ducked: ducked.value,
            error: error.value,
          }),
        );
        return { isThere, speaker };
      },
    }).use(svcSpeaker);
    app.mount(makePlace());
    await expectValues(renders);
    isThere.value = false;
    await renders.until(({ error, heard }) => !error && heard.seconds === 0);
    expect(renders.latest).to.deep.equal(unspoken);
    isThere.value = true;
    await nextTick();
    onlySpeaker().duck();
    await renders.until(({ ducked }) => ducked);
  });
});
