import {
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  type ElementRef,
  provideZonelessChangeDetection,
  signal,
  viewChild,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import 'svc-speaker/define.js';
import type { SvcSpeakerElement, UtteranceEvent } from 'svc-speaker';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <svc-speaker #speaker controls [sessionProvider]="undefined" (utteranceend)="heard($event)"></svc-speaker>
    <output>{{ count() }}</output>
  `,
})
class App {
  readonly speaker = viewChild.required<ElementRef<SvcSpeakerElement>>('speaker');
  readonly count = signal(0);

  heard({ utterance }: UtteranceEvent): void {
    if (utterance.text && this.speaker().nativeElement.hasSpeech !== undefined) this.count.update((count) => count + 1);
  }
}

void bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
