/** A function that makes each value once; none of them may be undefined. */
export function remembered<T, R>(make: (key: T) => R): (key: T) => R {
  const known = new Map<T, R>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
