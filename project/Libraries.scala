import sbt._
import sbt.Keys._

import scala.xml.XML

/** The libraries that a module brings to its users, for its tests: `direct` are those of its POM, `runtime` are all. */
object Libraries {
  val toTests: Seq[Setting[_]] = Seq(
    // It says each time where it has written the POM.
    makePom / logLevel := Level.Warn,
    Global / excludeLintKeys += makePom / logLevel,
    Test / resourceGenerators += list.taskValue
  )

  private def list = Def.task {
    val file = (Test / resourceManaged).value / "libraries.txt"
    val direct = (XML.loadFile(makePom.value) \ "dependencies" \ "dependency").map { library =>
      s"direct ${(library \ "groupId").text}:${(library \ "artifactId").text}"
    }
    val runtime = (Runtime / externalDependencyClasspath).value.flatMap(_.get(moduleID.key)).map { library =>
      s"runtime ${library.organization}:${library.name}"
    }
    val lines = (direct ++ runtime).toList
    if (!file.isFile || IO.readLines(file) != lines) IO.writeLines(file, lines)
    Seq(file)
  }
}
