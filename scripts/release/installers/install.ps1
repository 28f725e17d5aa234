<#
.SYNOPSIS
Installs the Quayside command line @VERSION@ for Windows.
.DESCRIPTION
Verifies the signature of the checksums and the checksum of the download before anything is installed.
.PARAMETER From
URL or folder of the release.
.PARAMETER Prefix
Folder of quayside.exe.
.EXAMPLE
powershell -ExecutionPolicy Bypass -File install.ps1 -From https://builds.example.com/quayside
#>
param(
  [string]$From = '@URL@',
  [string]$Prefix = "$env:LOCALAPPDATA\Programs\quayside"
)
$ErrorActionPreference = 'Stop'
# The progress bar of Windows PowerShell makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'
$version = '@VERSION@'
$minisignKey = '@MINISIGN_KEY@'
$sshSigner = '@SSH_SIGNER@'

function Get-ReleaseFile([string]$Name) {
  if ($From -match '^https?://') {
    Invoke-WebRequest -UseBasicParsing -Uri "$($From.TrimEnd('/'))/$Name" -OutFile $Name
  } else {
    Copy-Item -LiteralPath (Join-Path $From $Name) -Destination $Name
  }
}

function Test-Signature {
  if (Get-Command minisign -ErrorAction SilentlyContinue) {
    Get-ReleaseFile 'SHA256SUMS.minisig'
    & minisign -V -q -m SHA256SUMS -P $minisignKey | Out-Null
  } elseif (Get-Command ssh-keygen -ErrorAction SilentlyContinue) {
    Get-ReleaseFile 'SHA256SUMS.sshsig'
    [IO.File]::WriteAllText("$PWD\signers", "$sshSigner`n")
    # A pipe of PowerShell would change the line ends of the file.
    & cmd /c 'ssh-keygen -Y verify -f signers -I quayside -n quayside-release -s SHA256SUMS.sshsig < SHA256SUMS' | Out-Null
  } else {
    throw 'The signature cannot be verified without minisign or ssh-keygen. Install the OpenSSH client of Windows, then try again.'
  }
  if ($LASTEXITCODE -ne 0) {
    throw "The signature of $From/SHA256SUMS is not valid. Nothing was installed. Do not use these files."
  }
}

function Test-Checksum([string]$Name) {
  $line = Get-Content SHA256SUMS | Where-Object { $_ -match "^([0-9a-f]{64})  $([regex]::Escape($Name))$" }
  $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $Name).Hash.ToLowerInvariant()
  if (-not $line -or $line.Substring(0, 64) -ne $actual) {
    throw "The checksum of $Name differs from the signed one. Nothing was installed. Do not use this file."
  }
}

if (-not $From) { throw 'Select the release: install.ps1 -From <URL or folder>' }
if ($From -notmatch '^https?://') { $From = (Resolve-Path -LiteralPath $From).Path }
$name = "quayside-$version-windows-x64"
$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory -Path $work | Out-Null
Push-Location $work
# The working folder of programs differs from the location of PowerShell.
[Environment]::CurrentDirectory = $work
try {
  Get-ReleaseFile 'SHA256SUMS'
  Test-Signature
  Get-ReleaseFile "$name.zip"
  Test-Checksum "$name.zip"
  Expand-Archive -LiteralPath "$name.zip" -DestinationPath .
  New-Item -ItemType Directory -Force -Path $Prefix | Out-Null
  Copy-Item -Force -Path "$name\*" -Destination $Prefix
} finally {
  Pop-Location
  Remove-Item -Recurse -Force -LiteralPath $work
}
Write-Output "Installed quayside $version in $Prefix."
if (($env:PATH -split ';') -notcontains $Prefix) {
  Write-Output 'Add the folder to your PATH, then open a new terminal:'
  Write-Output "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$Prefix', 'User')"
}
