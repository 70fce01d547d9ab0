import java.nio.file.{Files, Path, Paths}

import sbt._
import sbt.Keys._

/** The step that a start of the program is at, for the `sbt` wrapper, which says it while sbt itself is quiet. */
object StartSteps {
  private val file: Option[Path] = sys.props.get("handoff.start.step").map(Paths.get(_))

  /** The build is loaded: what comes next is the libraries. */
  val loaded: Setting[_] = Global / onLoad := (Global / onLoad).value.andThen { state =>
    at("fetching libraries")
    state
  }

  /** The inputs of the compiler are all there: what comes next is the compiler. */
  val compiling: Setting[_] = Compile / compile / compileInputs := {
    val inputs = (Compile / compile / compileInputs).value
    at(s"compiling ${moduleName.value}")
    inputs
  }

  /** The class path of the program is complete: what comes next is the program, which speaks for itself. */
  val running: Setting[_] = Runtime / fullClasspathAsJars := {
    val path = (Runtime / fullClasspathAsJars).value
    file.foreach(Files.deleteIfExists)
    path
  }

  private def at(step: String): Unit =
    file.filter(Files.exists(_)).foreach(Files.writeString(_, step + "\n"))
}
