// Parts of the File System Access API that only Chromium has, so that TypeScript does not declare them.
interface FileSystemHandle {
  queryPermission(): Promise<PermissionState>
  requestPermission(): Promise<PermissionState>
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

interface FileSystemDirectoryHandle {
  values(): AsyncIterableIterator<FileSystemHandle>
}

interface Window {
  showDirectoryPicker?(): Promise<FileSystemDirectoryHandle>
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>
}
