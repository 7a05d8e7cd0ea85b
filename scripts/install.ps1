# Installs bub under Windows: downloads the program from the releases, compares its checksum with the
# one published there, starts it once, and only then puts it in place.
#
#   powershell -ExecutionPolicy Bypass -File install.ps1
#
# BUB_VERSION      a release such as 0.1.0; the newest by default
# BUB_INSTALL_DIR  the folder the program goes to; ~\.local\bin by default
# BUB_RELEASES     the address of the releases, if this copy does not know it
#
# Needs curl, which Windows has.

$ErrorActionPreference = 'Stop'

# The release workflow fills this in for the copy that it attaches to a release.
$Releases = ''

$Name = 'bub-x86_64-pc-windows-msvc.exe'

function Get-Address {
  $base = if ($env:BUB_RELEASES) { $env:BUB_RELEASES } else { $Releases }
  if (-not $base) {
    throw 'this copy does not know where the releases are; take the one attached to a release, or set BUB_RELEASES'
  }
  # The checksum comes from the same place, so what is on the way must be safe. Nothing is let through
  # that could be read in two ways: a user name can look like a host.
  if ($base -notmatch '^(https://[0-9A-Z][0-9A-Z.-]*(:[0-9]+)?|http://(127\.0\.0\.1|localhost):[0-9]+)(/[0-9A-Z./_~%+-]*)?\z') {
    throw "BUB_RELEASES must be a plain address that begins with https://, but is $base"
  }
  $base = $base.TrimEnd('/')
  $version = $env:BUB_VERSION
  if (-not $version -or $version -eq 'latest') { return "$base/latest/download" }
  if ($version -notmatch '^[0-9A-Za-z.+-]+$') {
    throw "BUB_VERSION must be a release such as 0.1.0, but is $version"
  }
  return "$base/download/v$($version -replace '^v', '')"
}

# By curl: Invoke-WebRequest of Windows PowerShell would follow a redirect away from https.
function Save-File($Address, $File) {
  $curl = Get-Command curl -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if (-not $curl) { throw 'curl is needed, and was not found' }
  & $curl.Source --fail --silent --show-error --location --proto-redir '=https' `
    --connect-timeout 30 --speed-limit 1 --speed-time 60 --output $File $Address
  if ($LASTEXITCODE -ne 0) { throw "$Address could not be downloaded; nothing was installed" }
}

function Get-Expected($File) {
  foreach ($line in Get-Content -LiteralPath $File) {
    if ($line -match '^([0-9a-f]{64}) [ *](.+)$' -and $Matches[2] -ceq $Name) {
      return $Matches[1].ToLowerInvariant()
    }
  }
  throw "SHA256SUMS of this release has no checksum of $Name; nothing was installed"
}

function Install-Bub {
  if (-not [Environment]::Is64BitOperatingSystem) { throw 'bub needs Windows of 64 bits' }
  $address = Get-Address
  $folder = $env:BUB_INSTALL_DIR
  if (-not $folder) { $folder = Join-Path $HOME '.local\bin' }
  $place = Join-Path $folder 'bub.exe'
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  # In the same folder, so that the last step is a rename.
  $id = [guid]::NewGuid().ToString('N')
  $work = Join-Path $folder ".bub-install.$id"
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    $sums = Join-Path $work 'SHA256SUMS'
    $program = Join-Path $work 'bub.exe'
    Save-File "$address/SHA256SUMS" $sums
    $expected = Get-Expected $sums
    Write-Host "bub: downloading $Name"
    Save-File "$address/$Name" $program
    $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $program).Hash.ToLowerInvariant()
    if ($actual -cne $expected) {
      throw "the checksum of $Name is $actual, but must be $expected; nothing was installed"
    }
    $version = & $program --version
    if ($LASTEXITCODE -ne 0 -or $version -notmatch '^bub [0-9]') {
      throw "$Name does not start on this machine; nothing was installed"
    }
    # A program that runs cannot be overwritten, but renamed. It waits beside the new one, in no
    # folder that is removed: whatever ends this half-way, it is still there.
    $old = Join-Path $folder ".bub-old.$id.exe"
    if (Test-Path -LiteralPath $place) { Move-Item -LiteralPath $place -Destination $old }
    try {
      Move-Item -LiteralPath $program -Destination $place
    } catch {
      if (Test-Path -LiteralPath $old) { Move-Item -LiteralPath $old -Destination $place }
      throw
    }
    # One that still runs goes with a later install; so does what an install left that was killed.
    foreach ($left in '.bub-old.*', '.bub-install.*') {
      Get-ChildItem -Force -LiteralPath $folder -Filter $left |
        Remove-Item -Recurse -Force -ErrorAction SilentlyContinue
    }
    Write-Host "bub: $version is installed: $place"
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
  }
  if (($env:PATH -split ';') -notcontains $folder) {
    Write-Host "bub: note: $folder is not on PATH; add it under Settings, environment variables"
  }
}

try {
  Install-Bub
} catch {
  [Console]::Error.WriteLine("bub: $_")
  exit 1
}
