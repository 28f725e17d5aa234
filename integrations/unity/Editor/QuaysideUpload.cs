using System;
using System.Diagnostics;
using System.IO;
using System.IO.Compression;
using UnityEditor;
using UnityEditor.PackageManager;
using Debug = UnityEngine.Debug;

namespace Quayside.Upload.Editor
{
    /// <summary>
    /// Uploads a build to the Quayside server in QUAYSIDE_SERVER. The other inputs are QUAYSIDE_… variables too;
    /// README.md lists them.
    /// </summary>
    public static class QuaysideUpload
    {
        const string FolderTitle = "Choose a build to upload to Quayside";

        /// <summary>Uploads a file that the user chooses.</summary>
        [MenuItem("File/Upload File to Quayside…")]
        public static void UploadFile()
        {
            var path = EditorUtility.OpenFilePanel(FolderTitle, "", "");
            if (!string.IsNullOrEmpty(path)) Run(path);
        }

        /// <summary>Uploads a folder that the user chooses as a ZIP archive.</summary>
        [MenuItem("File/Upload Folder to Quayside…")]
        public static void UploadFolder()
        {
            var path = EditorUtility.OpenFolderPanel(FolderTitle, "", "");
            if (!string.IsNullOrEmpty(path)) Run(path);
        }

        /// <summary>
        /// Uploads the build in QUAYSIDE_FILE: <c>-executeMethod Quayside.Upload.Editor.QuaysideUpload.FromCommandLine</c>.
        /// </summary>
        public static void FromCommandLine()
        {
            var path = Environment.GetEnvironmentVariable("QUAYSIDE_FILE");
            if (string.IsNullOrEmpty(path)) throw new InvalidOperationException("Set QUAYSIDE_FILE to the path of the build.");
            Run(path);
        }

        /// <summary>The post-export method of Unity Build Automation.</summary>
        public static void PostExport(string exportPath)
        {
            Run(exportPath);
        }

        /// <summary>Uploads a file, or a folder as a ZIP archive. Throws if the upload fails.</summary>
        public static void Run(string path)
        {
            var isFolder = Directory.Exists(path);
            var file = isFolder ? Zip(path) : path;
            try
            {
                Start(file);
            }
            finally
            {
                if (isFolder) File.Delete(file);
            }
        }

        static string Zip(string folder)
        {
            var name = Path.GetFileName(Path.GetFullPath(folder).TrimEnd(Path.DirectorySeparatorChar));
            var archive = Path.Combine(Path.GetTempPath(), name + ".zip");
            File.Delete(archive);
            ZipFile.CreateFromDirectory(folder, archive);
            return archive;
        }

        static void Start(string file)
        {
            var start = new ProcessStartInfo("node", $"\"{LauncherPath()}\"")
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            start.Environment["QUAYSIDE_FILE"] = Path.GetFullPath(file);
            if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable("QUAYSIDE_VERSION")))
                start.Environment["QUAYSIDE_VERSION"] = PlayerSettings.bundleVersion;
            using (var process = Process.Start(start))
            {
                process.OutputDataReceived += (_, line) => { if (line.Data != null) Debug.Log(line.Data); };
                process.ErrorDataReceived += (_, line) => { if (line.Data != null) Debug.Log(line.Data); };
                process.BeginOutputReadLine();
                process.BeginErrorReadLine();
                process.WaitForExit();
                if (process.ExitCode != 0)
                    throw new InvalidOperationException($"The upload to Quayside failed with exit code {process.ExitCode}.");
            }
        }

        static string LauncherPath()
        {
            var package = PackageInfo.FindForAssembly(typeof(QuaysideUpload).Assembly);
            return Path.GetFullPath(Path.Combine(package.resolvedPath, "Editor", "upload.mjs"));
        }
    }
}
