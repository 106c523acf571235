// Node loads this before the gateway, which has no setting for its address: with this it listens only on loopback.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  const host = '127.0.0.1';
  if (typeof first === 'object' && first !== null && 'port' in first) {
    return listen.call(this, { ...first, host }, ...rest);
  }
  if (typeof first === 'number' || typeof first === 'string') {
    return listen.call(this, { port: Number(first), host }, rest.find((r) => typeof r === 'function'));
  }
  return listen.call(this, first, ...rest);
};
