/** What is used of a package whose own types its `exports` hide. */
declare module '@deepgram/browser-agent' {
  export class AgentElement extends HTMLElement {
    ttsAnalyser?: AnalyserNode;
    ttsContext?: AudioContext;
    handleSocketMessage(event: MessageEvent): void;
  }
}
