import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AvatarError } from '../../src/avatar/avatar-error.js';
import { demoAvatarDrawing } from '../../src/avatar/demo-avatar-drawing.js';
import { readInertSvg } from '../../src/avatar/inert-svg.js';
import { svgWith } from './some-bundle.js';

const refused = (svg: string, message: RegExp): void => {
  assert.throws(
    () => readInertSvg(svg),
    (error) => error instanceof AvatarError && message.test(error.message),
    svg,
  );
};

describe('The drawing of an avatar', () => {
  it('tells its paths and its colours', () => {
    const drawing = readInertSvg(
      svgWith(
        `<title>A &amp; B</title><g fill='var(--avatar-fur)'><path id="avatar-a" d="M0 0Z" /><path d="M1 1"/></g>`,
      ),
    );
    assert.deepEqual([...drawing.paths], [['avatar-a', 'M0 0Z']]);
    assert.deepEqual([...drawing.colors], ['--avatar-fur']);
  });

  it('may use clip paths, gradients and transforms of its own', () => {
    readInertSvg(
      svgWith(
        '<defs><clipPath id="avatar-c"><circle cx="1" cy="1" r="1"/></clipPath></defs>' +
          '<g clip-path="url(#avatar-c)" transform="translate(1 2) rotate(45)"><rect width="50%" height="1"/></g>',
      ),
    );
  });

  const scripts: [name: string, content: string][] = [
    ['a script', '<script>fetch("/")</script>'],
    ['a script of another namespace', '<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>'],
    ['a handler', '<g onload="fetch(1)"/>'],
    ['a handler in capitals', '<g ONLOAD="fetch(1)"/>'],
    ['HTML within', '<foreignObject><p/></foreignObject>'],
    ['a link', '<a href="javascript:1"><path d="M0 0"/></a>'],
    ['an animation that sets a link', '<set attributeName="href" to="javascript:1"/>'],
    ['an image', '<image href="https://elsewhere.example/x.png"/>'],
    ['a drawing of elsewhere', '<use href="https://elsewhere.example/x.svg#y"/>'],
    ['an old link', '<path xlink:href="https://elsewhere.example/"/>'],
    ['a style sheet', '<style>@import "https://elsewhere.example/x.css";</style>'],
    ['a style', '<g style="fill:red"/>'],
    ['a class of the page', '<g class="primary"/>'],
  ];
  for (const [name, content] of scripts) {
    it(`is refused with ${name}`, () => refused(svgWith(content), /allowed/));
  }

  const values: [name: string, value: string][] = [
    ['an address', 'url(https://elsewhere.example/)'],
    ['an address in quotes', "url('x.svg#a')"],
    ['an address of the same server', 'url(x.svg)'],
    ['an address beside a place in the drawing', 'url(#avatar-a) url(x.png)'],
    ['letters that CSS hides', 'u\\72l(x.png)'],
    ['another way to name an image', 'image-set(x.png 1x)'],
    ['an entity', '&#106;avascript'],
  ];
  for (const [name, value] of values) {
    it(`is refused with ${name} as a colour`, () => refused(svgWith(`<g fill="${value}"/>`), /is not allowed/));
  }

  it('is refused if parsers could disagree about it', () => {
    refused(`<!DOCTYPE svg [<!ENTITY a "b">]>${svgWith('')}`, /declarations/);
    refused(`<?xml-stylesheet href="x.css"?>${svgWith('')}`, /declarations/);
    refused(svgWith('<!-- --><path d="M0 0"/>'), /comments/);
    refused(svgWith('<![CDATA[<script/>]]>'), /sections/);
    refused(svgWith('<title>&a;</title>'), /entity/);
    refused(svgWith('<path d=M0/>'), /not well-formed/);
    refused(svgWith('<path d="M0" d="M1"/>'), /twice/);
    refused(svgWith('<g>').slice(0, -6), /not ended/);
    refused(svgWith('<g><path></g></path>'), /<\/g> ends <path>/);
    refused(svgWith('') + svgWith(''), /after the end/);
    refused(svgWith('words'), /text/);
  });

  it('is refused if it is not a drawing that can have any size', () => {
    refused('', /must begin/);
    refused('<svg viewBox="0 0 9 9"/>', /must begin/);
    refused('<html xmlns="http://www.w3.org/1999/xhtml"/>', /must begin/);
    refused('<svg xmlns="http://www.w3.org/2000/svg"/>', /viewBox/);
  });

  it('is refused with ids that a page may have, or that are there twice', () => {
    refused(svgWith('<path id="speaker" d="M0 0"/>'), /avatar-/);
    refused(svgWith('<path id="avatar-a" d="M0 0"/><g id="avatar-a"/>'), /twice/);
  });

  it('is refused if there is too much of it', () => {
    refused(svgWith('<g/>'.repeat(5000)), /5000 elements/);
    refused(svgWith('<g>'.repeat(64) + '</g>'.repeat(64)), /64 elements within/);
  });

  it('is read in a time that grows with its length alone', () => {
    const hostile = [
      '<g ' + 'a="b" '.repeat(200_000),
      '<'.repeat(1_000_000),
      '<g' + ' '.repeat(1_000_000),
      'x='.repeat(500_000),
    ];
    const before = performance.now();
    for (const content of hostile) refused(svgWith(content), /./);
    // Four times 1 MB take some 20 ms; a time that grew with the square of it would be minutes.
    assert.ok(performance.now() - before < 2000);
  });

  it('of the demo avatar is one', () => {
    assert.ok(readInertSvg(demoAvatarDrawing).paths.has('avatar-mouth'));
  });
});
