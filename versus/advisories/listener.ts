import { type AddressInfo, createServer } from 'node:net';

/** How many connections a listener on loopback gets while the steps run. */
export async function connectionsDuring(steps: (port: number) => Promise<void>): Promise<number> {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  await steps((listener.address() as AddressInfo).port);
  listener.close();
  return connections;
}
