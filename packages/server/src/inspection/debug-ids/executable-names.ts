const symbolExtension =
  /\.(?:so|dylib|jnilib|dbg|sym|debug|pdb|dll|exe|sys|ocx|efi|elf|ko|node|pyd)$|\.so(?:\.\d+)+$/i
const extension = /\.[a-z][a-z0-9]{0,11}$/i

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns whether the name of a file is that of an executable with an extension, a library or a symbol file. */
export const isSymbolFile = (path: string): boolean =>
  symbolExtension.test(path) && !path.startsWith('__MACOSX/')

/** Returns whether a file may have debug IDs according to its name. Most executables of Linux and macOS have no extension. */
export const mayBeExecutable = (path: string): boolean =>
  isSymbolFile(path) ||
  (!path.endsWith('/') && !path.startsWith('__MACOSX/') && !extension.test(baseName(path)))
