import { Greeting } from './greeting.jsx';

export default function Page() {
  return <Greeting name="world" />;
}
