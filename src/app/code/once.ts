/**
 * Imports once a module that several parts come from. WebKit gives a second import of a module that is still being evaluated its
 * exports too early (https://bugs.webkit.org/show_bug.cgi?id=242740). After a failure the next call tries again.
 */
export function once<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}
