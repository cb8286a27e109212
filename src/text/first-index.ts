/**
 * The index of the first item that passes the test, or the length of the list if none does, found by halving: the list
 * is sorted so that all items after the first that passes pass too.
 */
export function firstIndex<T>(sorted: ArrayLike<T>, test: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
