/** A stand-in for the reader's own file: a visitor with the cookie `user` is a user. */
export const userOf = async (request) => {
  const id = /user=(\w+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
  return id ? { id } : null;
};
