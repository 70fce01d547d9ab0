import sbt._
import sbt.Keys._

import scala.sys.process.{Process, ProcessLogger}

/** The types that users may name, as `public-api.txt` beside this file lists them, and their Javadoc. */
object PublicApi {
  private val list = "project/public-api.txt"

  /** The first Java whose `javadoc` reads the Markdown comments of the sources. */
  private val leastForMarkdown = 23

  /** Packages and types of a list. */
  def names(text: String): Seq[String] =
    text.linesIterator.map(_.trim).filterNot(line => line.isEmpty || line.startsWith("#")).toSeq

  def names(base: File): Seq[String] = names(IO.read(base / list))

  /** The list as a release had it; nothing if it had none. */
  def names(base: File, tag: String): Seq[String] = {
    val text = new StringBuilder
    val quiet = ProcessLogger(line => text.append(line).append('\n'), _ => ())
    if ((Process(Seq("git", "show", s"$tag:$list"), base) ! quiet) == 0) names(text.toString) else Nil
  }

  /** `./sbt doc`: a warning fails it. Comments need not name every parameter.
    *
    * Always made anew, by a `javadoc` of our own: sbt's task does not see that only a comment has changed.
    */
  val settings: Seq[Setting[_]] = Seq(
    Compile / doc / sources := names((ThisBuild / baseDirectory).value).flatMap(sourcesOf((ThisBuild / baseDirectory).value, (Compile / javaSource).value, _)),
    Compile / doc / javacOptions ++= Seq("-Xdoclint:all,-missing", "-Werror", "-quiet", "-notimestamp") ++
      Seq("-sourcepath", (Compile / javaSource).value.getPath) ++
      Seq("-windowtitle", s"Handoff ${version.value}", "-doctitle", s"Handoff ${version.value}"),
    Compile / doc := {
      val log = streams.value.log
      val folder = (Compile / doc / target).value
      val libraries = (Compile / dependencyClasspath).value.files.mkString(java.io.File.pathSeparator)
      val command = Seq(s"${sys.props("java.home")}/bin/javadoc", "-d", folder.getPath, "-classpath", libraries) ++
        (Compile / doc / javacOptions).value ++ (Compile / doc / sources).value.map(_.getPath)
      if (Jvm.version < leastForMarkdown) {
        log.warn(s"Java ${Jvm.version} reads no Markdown comments: the Javadoc has names only. Use Java $leastForMarkdown or newer.")
      }
      IO.delete(folder)
      val exit =
        if ((Compile / doc / sources).value.isEmpty) {
          // Repositories ask for a jar of Javadoc nevertheless.
          IO.write(folder / "README.txt", s"${name.value} has no types that users name: they are in the Javadoc of handoff.\n")
          0
        } else Process(command) ! ProcessLogger(line => log.info(line), line => log.error(line))
      if (exit != 0) throw new MessageOnlyException(s"javadoc ended with exit code $exit; its words are above.")
      folder
    }
  )

  /** The sources of a name in one module; none if it is of another one. */
  private def sourcesOf(base: File, root: File, name: String): Seq[File] = {
    val all = (base / "src" * "*").get().flatMap(module => sourcesBelow(module / "main" / "java", name))
    if (all.isEmpty) sys.error(s"$list: no module has a package or a class $name")
    sourcesBelow(root, name)
  }

  private def sourcesBelow(root: File, name: String): Seq[File] = {
    val path = root / name.replace('.', '/')
    val source = file(path.getPath + ".java")
    if (path.isDirectory) (path * "*.java").get().sorted else Seq(source).filter(_.isFile)
  }
}
