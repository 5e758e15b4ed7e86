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
    svg.slice(0, 300),
  );
};

describe('The drawing of an avatar', () => {
  it('reports its paths and its colours', () => {
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
    refused(svgWith('<g><path></g></path>'), /<\/g> comes before the end tag of <path>/);
    refused(svgWith('') + svgWith(''), /after the end/);
    refused(svgWith('words'), /text/);
    refused(svgWith('\u00a0'), /text/);
    refused(svgWith('<title>a ]]> b</title>'), /]]&gt;/);
    refused(svgWith('<path\u00a0d="M0 0"/>'), /not well-formed/);
    refused(svgWith('<path d\u2003="M0 0"/>'), /not well-formed/);
    refused(svgWith('</svg\u00a0>').slice(0, -6), /not well-formed/);
    refused(`\ufeff${svgWith('')}`, /text/);
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

  it('is refused with too many elements or levels', () => {
    refused(svgWith('<g/>'.repeat(5000)), /5000 elements/);
    refused(svgWith('<g>'.repeat(64) + '</g>'.repeat(64)), /64 elements within/);
  });

  const MASK = '<mask id="avatar-m"><rect/></mask>';
  const masked = (content = '') => `<g mask="url(#avatar-m)">${content}</g>`;

  it('is refused if masks or clip paths are nested, because each level can double the work of drawing', () => {
    refused(svgWith(`<mask id="avatar-n">${masked()}</mask>`), /not allowed in <mask>/);
    refused(svgWith('<mask id="avatar-n" mask="url(#avatar-m)"/>'), /not allowed in <mask>/);
    refused(svgWith('<clipPath id="avatar-c" clip-path="url(#avatar-d)"/>'), /not allowed in <mask>, <clipPath>/);
    refused(
      svgWith('<clipPath id="avatar-c"><g><path clip-path="url(#avatar-d)"/></g></clipPath>'),
      /not allowed in <mask>/,
    );
  });

  it('may use a mask or a clip path several times, within limits', () => {
    readInertSvg(svgWith(MASK + masked().repeat(32)));
    refused(svgWith(MASK + masked().repeat(33)), /more than 32 elements with mask/);
    readInertSvg(svgWith(MASK + masked(masked(masked(masked())))));
    refused(svgWith(MASK + masked(masked(masked(masked(masked()))))), /more than 4 .* within each other/);
    readInertSvg(svgWith(`<mask>${'<g/>'.repeat(50)}</mask><clipPath>${'<g/>'.repeat(50)}</clipPath>`));
    refused(svgWith(`<mask>${'<g/>'.repeat(50)}</mask><clipPath>${'<g/>'.repeat(51)}</clipPath>`), /more than 100/);
    refused(svgWith(`<mask><path d="M0 0${' '.repeat(4096)}"/></mask>`), /d has more than 4096 characters in a <mask>/);
  });

  it('may have a few shapes with dashes, because a few characters can make millions of dashes', () => {
    const dashed = '<path d="M0 0L9 9" stroke-dasharray="0.001"/>';
    readInertSvg(svgWith(dashed.repeat(16)));
    refused(svgWith(dashed.repeat(17)), /more than 16/);
    refused(svgWith('<g stroke-dasharray="0.001"/>'), /on shapes only/);
    refused(svgWith(`<mask>${dashed}</mask>`), /not in <mask>/);
  });

  const MEGABYTE = 1_000_000;

  it('is refused with long values where none are needed', () => {
    refused(svgWith(`<g transform="${' '.repeat(4097)}"/>`), /transform of <g> has more than 4096 characters/);
    refused(svgWith(`<g id="avatar-${'a'.repeat(MEGABYTE)}"/>`), /more than 4096/);
  });

  // In quadratic time, each of these would take minutes: 1 MB of spaces took 40 minutes.
  const long: [name: string, content: string][] = [
    ['attributes without an end', `<g ${'a="b" '.repeat(MEGABYTE / 6)}`],
    ['brackets', '<'.repeat(MEGABYTE)],
    ['spaces in a tag', `<g${' '.repeat(MEGABYTE)}`],
    ['spaces behind a name', `<g a${' '.repeat(MEGABYTE)}b`],
    ['spaces behind an equals sign', `<g a=${' '.repeat(MEGABYTE)}b`],
    ['attributes without quotes', 'x='.repeat(MEGABYTE / 2)],
    ['a name', `<${'a'.repeat(MEGABYTE)}`],
    ['the name of an attribute', `<g ${'a'.repeat(MEGABYTE)}="b"/>`],
    ['the name of an end', `<g></${'g'.repeat(MEGABYTE)}>`],
    ['an entity', `<title>${'&amp;'.repeat(MEGABYTE / 5)}&x</title>`],
    ['spaces before a bracket', `<path d="${' '.repeat(MEGABYTE)}x("/>`],
    ['letters and spaces before a bracket', `<path d="${'a '.repeat(MEGABYTE / 2)}("/>`],
    ['a name before a bracket', `<path d="${'-'.repeat(MEGABYTE)}("/>`],
    ['brackets of brackets', `<path d="${'x('.repeat(MEGABYTE / 2)}"/>`],
    ['brackets after a colour', `<path d="x(${'var('.repeat(MEGABYTE / 4)}"/>`],
    ['spaces in a transform', `<g transform="${' '.repeat(MEGABYTE)}"/>`],
    ['letters in a transform', `<g transform="${'a'.repeat(MEGABYTE)}"/>`],
  ];
  for (const [name, content] of long) {
    it(`is refused in no time with 1 MB of ${name}`, { timeout: 20_000 }, () => refused(svgWith(content), /./));
  }

  for (const [name, value] of [
    ['spaces', ' '.repeat(MEGABYTE)],
    ['letters', 'a'.repeat(MEGABYTE)],
    ['letters and spaces', 'a '.repeat(MEGABYTE / 2)],
    ['minus signs', '-'.repeat(MEGABYTE)],
    ['colours', 'var(--avatar-a) '.repeat(MEGABYTE / 16)],
    ['colours without an end', `var(${' '.repeat(16)}`.repeat(MEGABYTE / 20)],
  ] as const) {
    it(`is read in no time with 1 MB of ${name}`, { timeout: 20_000 }, () => {
      readInertSvg(svgWith(`<path d="${value}"/>`));
    });
  }

  it('is read with as much text as a bundle has room for', () => {
    readInertSvg(svgWith(`<title>${'a'.repeat(2 * MEGABYTE)}</title>`));
  });

  it('of the demo avatar is accepted', () => {
    assert.ok(readInertSvg(demoAvatarDrawing).paths.has('avatar-mouth'));
  });
});
