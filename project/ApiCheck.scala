import sbt._
import sbt.Keys._

import scala.sys.process.{Process, ProcessLogger}

/** Comparison of the public API with that of the last release, with japicmp: what would not compile or link any more. */
object ApiCheck {
  private val Japicmp = config("japicmp").hide

  /** japicmp's jar, the jar of this build, and its libraries. */
  private val jars = taskKey[(File, File, Seq[File])]("What the API check works with")

  def settings(version: String): Seq[Setting[_]] = Seq(
    ivyConfigurations += Japicmp,
    libraryDependencies +=
      ("com.github.siom79.japicmp" % "japicmp" % version % Japicmp).classifier("jar-with-dependencies").intransitive(),
    jars := {
      val tool = update.value.select(configurationFilter(Japicmp.name), moduleFilter(), artifactFilter(extension = "jar"))
      (tool.head, (Compile / packageBin).value, (Compile / dependencyClasspath).value.files)
    }
  )

  /** `api` compares with the last tag `v1.2.3`, `api 1.2.3` with that version. */
  def command(project: ProjectReference): Command = Command.args("api", "<version>") { (state, words) =>
    val base = Project.extract(state).get(ThisBuild / baseDirectory)
    words.headOption.orElse(lastRelease(base)) match {
      case None =>
        println("API: no release is tagged yet (such as v0.1.0), so there is nothing to compare with")
        state
      case Some(version) => compare(state, base, version, project)
    }
  }

  private def compare(state: State, base: File, old: String, project: ProjectReference): State = {
    val extracted = Project.extract(state)
    TestRuns.evaluate(state, project, jars).fold(state.fail) { case (tool, current, libraries) =>
      val released = jarOf(state, old, project)
      val names = (PublicApi.names(base) ++ PublicApi.names(base, s"v$old")).distinct
      val folder = extracted.get(project / target) / "api-changes"
      IO.createDirectory(folder)
      val command = Seq(Jvm.command, "-jar", tool.getPath, "--old", released.getPath, "--new", current.getPath) ++
        Seq("--old-classpath", libraries.mkString(java.io.File.pathSeparator)) ++
        Seq("--new-classpath", libraries.mkString(java.io.File.pathSeparator), "--ignore-missing-classes") ++
        Seq("-a", "protected", "--only-modified", "--include", names.mkString(";"), "--include-exclusively") ++
        Seq("--error-on-binary-incompatibility", "--error-on-source-incompatibility") ++
        Seq("--html-file", (folder / "changes.html").getPath)
      val lines = Seq.newBuilder[String]
      val exit = Process(command) ! ProcessLogger(line => lines += line, line => lines += line)
      val report = lines.result()
      IO.writeLines(folder / "changes.txt", report)
      val breaks = report.filter(line => line.matches("""\s*(\+\+\+|---|===|\*\*\*)[!*].*"""))
      val now = extracted.get(project / sbt.Keys.version)
      if (exit == 0) {
        println(s"API: $now is compatible with $old; all changes are in ${folder / "changes.txt"}")
        state
      } else if (breaks.isEmpty) {
        report.takeRight(20).foreach(line => println(line))
        println(s"API: japicmp ended with exit code $exit; its words are above")
        state.fail
      } else {
        breaks.foreach(line => println(line))
        println(s"API: $now is not compatible with $old; all changes are in ${folder / "changes.txt"}")
        if (mayBreak(old, now)) state else state.fail
      }
    }
  }

  /** The newest tag of a release that this commit descends from. */
  private def lastRelease(base: File): Option[String] = {
    val words = Seq("git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    val found = Seq.newBuilder[String]
    Process(words, base) ! ProcessLogger(line => found += line, _ => ())
    found.result().headOption.map(_.stripPrefix("v"))
  }

  /** From the local Maven repository, else from where libraries come from. */
  private def jarOf(state: State, version: String, project: ProjectReference): File = {
    val extracted = Project.extract(state)
    val group = extracted.get(project / organization)
    val name = extracted.get(project / moduleName)
    val local = Path.userHome / ".m2" / "repository" / group.replace('.', '/') / name / version / s"$name-$version.jar"
    if (local.isFile) local
    else {
      val resolution = extracted.runTask(project / dependencyResolution, state)._2
      val folder = extracted.get(project / target) / "released"
      resolution.retrieve((group % name % version).intransitive(), None, folder, state.log) match {
        case Right(files) if files.nonEmpty => files.head
        case _ => sys.error(s"$group:$name:$version cannot be found: publish that release, or fetch it with Maven first")
      }
    }
  }

  /** Before 1.0 a new minor version may break what was, afterwards a new major version. */
  private def mayBreak(old: String, current: String): Boolean = {
    def parts(version: String) = version.split("[.-]").take(if (version.startsWith("0.")) 2 else 1).toSeq
    parts(old) != parts(current)
  }
}
