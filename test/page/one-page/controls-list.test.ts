import { expect } from 'chai';
import { makeSpeaker, removeSpeakers } from '../support/speaker.js';

describe('controlsList of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('is a DOMTokenList of the attribute', () => {
    const speaker = makeSpeaker({ controlslist: ' nodownload  noplaybackrate nodownload' });
    const list = speaker.controlsList;
    expect(list).to.be.instanceOf(DOMTokenList);
    expect(speaker.controlsList).to.equal(list);
    expect([...list]).to.deep.equal(['nodownload', 'noplaybackrate']);
    expect([list.length, list[1], list.item(0), list.item(2)]).to.deep.equal([2, 'noplaybackrate', 'nodownload', null]);
    expect([list.contains('nodownload'), list.contains('x')]).to.deep.equal([true, false]);
    speaker.setAttribute('controlslist', 'x');
    expect([list.value, String(list), list.length]).to.deep.equal(['x', 'x', 1]);
    expect([list.toggle('nodownload'), list.replace('x', 'y')]).to.deep.equal([true, true]);
    expect(speaker.getAttribute('controlslist')).to.equal('y nodownload');
    expect(() => list.add(''))
      .to.throw(DOMException)
      .with.property('name', 'SyntaxError');
    expect(() => list.add('a b'))
      .to.throw(DOMException)
      .with.property('name', 'InvalidCharacterError');
    expect(speaker.getAttribute('controlslist'), 'unchanged').to.equal('y nodownload');
    list.value = 'noplaybackrate';
    expect(speaker.getAttribute('controlslist')).to.equal('noplaybackrate');
    Object.assign(speaker, { controlsList: 'nodownload' });
    expect([speaker.controlsList === list, list.value]).to.deep.equal([true, 'nodownload']);
  });

  it('reads as empty without the attribute, and does not add it', () => {
    const speaker = makeSpeaker();
    expect([speaker.controlsList.length, speaker.controlsList.value]).to.deep.equal([0, '']);
    speaker.controlsList.remove('nodownload');
    expect(speaker.hasAttribute('controlslist')).to.equal(false);
  });

  it('reports which words it supports', () => {
    const { controlsList } = makeSpeaker();
    const supported = ['nodownload', 'NoPlaybackRate', 'nofullscreen', 'noremoteplayback', ''].map((word) =>
      controlsList.supports(word),
    );
    expect(supported).to.deep.equal([true, true, false, false, false]);
  });
});
