@echo off
rem Starts cifvi on Windows: builds with Maven where there is no build or a source is newer, then runs Java. JAVA_HOME, or
rem else java on the path, must be JDK 25.0.3 or newer. There are no GPUs here: they are used on Linux only.
setlocal
set "root=%~dp0"
set "classpath_file=%root%cli\target\classpath.txt"

if /i not "%PROCESSOR_ARCHITECTURE%"=="AMD64" (
  echo cifvi: libtorch has no native libraries for Windows on %PROCESSOR_ARCHITECTURE%: use Linux on x86-64, macOS on arm64 or x86-64, or Windows on x86-64 1>&2
  exit /b 2
)

if not defined JAVA_HOME for %%j in (java.exe) do if not "%%~$PATH:j"=="" for %%h in ("%%~dp$PATH:j..") do set "JAVA_HOME=%%~fh"
findstr /r /c:"^JAVA_VERSION=.2[5-9]" /c:"^JAVA_VERSION=.[3-9][0-9]" "%JAVA_HOME%\release" >nul 2>nul || (
  echo cifvi: JDK 25.0.3 or newer must be installed, and JAVA_HOME be set to it 1>&2
  exit /b 2
)

set "stale=1"
if exist "%classpath_file%" (
  powershell -NoProfile -Command "$built = (Get-Item -LiteralPath $env:classpath_file).LastWriteTimeUtc; $sources = @('pom.xml') + @('core', 'stan', 'experiments', 'cli' | ForEach-Object { \"$_\pom.xml\"; \"$_\src\main\" }) | ForEach-Object { Join-Path $env:root $_ }; if (Get-ChildItem -LiteralPath $sources -Recurse -File | Where-Object LastWriteTimeUtc -gt $built) { exit 1 }" && set "stale="
)
if defined stale (
  where mvn.cmd >nul 2>nul || (
    echo cifvi: Apache Maven 3.8.6 or newer must be installed to build 1>&2
    exit /b 2
  )
  echo cifvi: building, which takes a few minutes the first time 1>&2
  call mvn.cmd -B -q -f "%root%pom.xml" -pl cli -am process-classes 1>&2 || (
    echo cifvi: the build failed 1>&2
    exit /b 2
  )
)

for /f "usebackq delims=" %%c in ("%classpath_file%") do set "CLASSPATH=%root%cli\target\classes;%%c"
if not defined OPENBLAS_NUM_THREADS set "OPENBLAS_NUM_THREADS=1"
if not defined OMP_WAIT_POLICY set "OMP_WAIT_POLICY=passive"
"%JAVA_HOME%\bin\java.exe" -XX:+UseSerialGC --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 cifvi.cli.Main %*
exit /b %errorlevel%
