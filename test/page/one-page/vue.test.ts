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
import svcSpeaker, { useSpeaker } from '../../../src/vue/index.js';
import { speaking } from '../../../src/testing/script.js';
import {
  describeBinding,
  expectNoComplaints,
  type Given,
  listenForComplaints,
  makePlace,
  onlySpeaker,
  short,
} from '../support/framework.js';
import { closeOwnContexts, ownContext } from '../support/own-contexts.js';
import { next, removeSpeakers, sessionUrl } from '../support/speaker.js';

/** A page of a server. */
const SERVED = '<main><SvcSpeaker class="loud" v-bind="given">Listen</SvcSpeaker></main>';

let app: App | undefined;

/** Creates an application with one template that renders `data`. It is not mounted yet. */
function make(template: string, data: object = {}, create = createApp): App {
  app = create({ render: compile(template), setup: () => data }).use(svcSpeaker);
  return app;
}

/** Props of the rendered component; null without one. */
let rendered: Record<string, unknown> | null = null;

/** Returns props for Vue: listeners are props. */
function propsOf({ props, on = {} }: Given): Record<string, unknown> {
  const listeners = Object.entries(on).map(([type, listener]) => [
    `on${type[0]!.toUpperCase()}${type.slice(1)}`,
    listener,
  ]);
  return { ...props, ...Object.fromEntries(listeners) };
}

function end(): void {
  app?.unmount();
  app = undefined;
  rendered = null;
}

const shown = ref(true);

describeBinding({
  name: 'Vue',
  render: async (given) => {
    const props = propsOf(given);
    if (rendered) {
      for (const name of Object.keys(rendered)) if (!(name in props)) Reflect.deleteProperty(rendered, name);
      Object.assign(rendered, props);
      await nextTick();
    } else {
      rendered = shallowReactive(props);
      shown.value = true;
      make('<SvcSpeaker v-if="shown" v-bind="rendered" />', { shown, rendered }).mount(makePlace());
    }
    return onlySpeaker();
  },
  remove: async () => {
    shown.value = false;
    await nextTick();
  },
  renderOnServer: (given) => {
    const markup = renderToString(make(SERVED, { given: propsOf(given) }, createSSRApp));
    app = undefined;
    return markup;
  },
  hydrate: (place, given) => void make(SERVED, { given: propsOf(given) }, createSSRApp).mount(place),
  useValues: (renders) => {
    const isThere = ref(false);
    const speaker = ref<SvcSpeakerElement>();
    app = createApp({
      render: compile('<SvcSpeaker v-if="isThere" ref="speaker" />'),
      setup: () => {
        const { state, currentTime, duration, heard, currentWord, ducked, error } = useSpeaker(speaker);
        watchEffect(() =>
          renders.add({
            state: state.value,
            currentTime: currentTime.value,
            duration: duration.value,
            heard: heard.value,
            currentWord: currentWord.value,
            ducked: ducked.value,
            error: error.value,
          }),
        );
        return { isThere, speaker };
      },
    }).use(svcSpeaker);
    app.mount(makePlace());
    return async (isThereNow) => {
      isThere.value = isThereNow;
      await nextTick();
    };
  },
  end,
});

describe('SvcSpeaker in Vue', () => {
  beforeEach(listenForComplaints);
  afterEach(async () => {
    end();
    await removeSpeakers();
    expectNoComplaints();
  });

  it('assigns its element to a ref, and passes on slots', () => {
    const speaker = ref<SvcSpeakerElement>();
    make('<SvcSpeaker ref="speaker" controls><span slot="play-label">Listen</span></SvcSpeaker>', { speaker }).mount(
      makePlace(),
    );
    expect(speaker.value === onlySpeaker()).to.equal(true);
    expect(onlySpeaker().textContent).to.equal('Listen');
  });

  it('passes on reactive objects unwrapped', async () => {
    const messages = [
      { type: 'synthesize', context_id: 'own', text: 'Hello.' },
      { type: 'end', context_id: 'own' },
    ];
    const url = sessionUrl(speaking(short));
    const context = ownContext();
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
    await closeOwnContexts();
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
