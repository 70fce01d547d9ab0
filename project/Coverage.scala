import sbt._
import sbt.Keys._

import scala.sys.process.{Process, ProcessLogger}

/** Line coverage of modules by the tests of all of them, measured with JaCoCo's agent and reported by its command line. */
object Coverage {
  val Jacoco = config("jacoco").hide

  val coverageLeast = settingKey[BigDecimal]("Percentage of the product's lines that the tests must run")
  val coverageFolder = settingKey[File]("Where the report is written")
  val agentArgument = taskKey[File => String]("The JVM argument that makes a JVM record what it runs in a file")
  val report = taskKey[Boolean]("Writes the report, and tells whether coverage is high enough")

  def settings(version: String, modules: ProjectReference*): Seq[Setting[_]] = Seq(
    ivyConfigurations += Jacoco,
    libraryDependencies ++= Seq(
      "org.jacoco" % "org.jacoco.agent" % version % Jacoco classifier "runtime",
      "org.jacoco" % "org.jacoco.cli" % version % Jacoco classifier "nodeps"
    ),
    coverageFolder := target.value / "coverage",
    agentArgument := {
      val agent = jar(update.value, "org.jacoco.agent")
      file => s"-javaagent:$agent=destfile=$file,append=true,includes=dev.handoff.*"
    },
    report := {
      val log = streams.value.log
      val folder = coverageFolder.value
      val recorded = recordings(folder)
      val classes = classDirectory.all(product(modules)).value
      val sources = unmanagedSourceDirectories.all(product(modules)).value.flatten.filter(_.isDirectory)
      val command = Seq(Jvm.command, "-jar", jar(update.value, "org.jacoco.cli").getPath, "report") ++
        recorded.map(_.getPath) ++ classes.flatMap(folder => Seq("--classfiles", folder.getPath)) ++
        sources.flatMap(source => Seq("--sourcefiles", source.getPath)) ++
        Seq("--name", "Handoff", "--encoding", "UTF-8", "--quiet") ++
        Seq("--html", (folder / "html").getPath) ++
        Seq("--csv", (folder / "coverage.csv").getPath, "--xml", (folder / "coverage.xml").getPath)
      val exit = Process(command) ! ProcessLogger(line => log.info(line), line => log.error(line))
      if (exit != 0) sys.error(s"JaCoCo's report ended with exit code $exit; its words are above.")
      judge(IO.readLines(folder / "coverage.csv"), coverageLeast.value, folder)
    }
  )

  private def product(modules: Seq[ProjectReference]) = ScopeFilter(inProjects(modules: _*), inConfigurations(Compile))

  /** Makes the forks of a module's tests record. A test that starts a JVM hands the property `jacoco.agent` on to it. */
  private def recording(module: ProjectReference, configuration: Configuration): Setting[_] =
    module / configuration / TestRuns.forkFlags := {
      val folder = (LocalRootProject / coverageFolder).value / "recorded" / (module / thisProject).value.id
      val argument = (LocalRootProject / agentArgument).value
      number =>
        Seq(
          argument(folder / s"fork-$number.exec"),
          s"-Djacoco.agent=${argument(folder / s"children-$number.exec")}"
        )
    }

  /** Runs the tests once, recording, and closes with the coverage and their tally. */
  def command(word: String, configuration: Configuration, modules: ProjectReference*): Command = Command.command(word) { state =>
    val extracted = Project.extract(state)
    val project = extracted.currentRef
    IO.delete(extracted.get(project / coverageFolder))
    val measured = extracted.appendWithoutSession(modules.map(recording(_, configuration)), state)
    val tally = TestRuns.run(measured, configuration)
    val enough = tally.isDefined && TestRuns.evaluate(state, report).contains(true)
    TestRuns.close(state, tally, enough)
  }

  private def recordings(folder: File): Seq[File] = ((folder / "recorded") ** "*.exec").get().sortBy(_.getName)

  private def jar(resolved: UpdateReport, module: String): File =
    resolved.select(configurationFilter(Jacoco.name), moduleFilter(name = module), artifactFilter()).head

  private def judge(csv: Seq[String], least: BigDecimal, folder: File): Boolean = {
    val names = csv.head.split(',')
    val rows = csv.tail.map(row => names.zip(row.split(',')).toMap)
    val covered = rows.map(_("LINE_COVERED").toInt).sum
    val missed = rows.map(_("LINE_MISSED").toInt).sum
    val percent =
      if (covered + missed == 0) BigDecimal(100)
      else (BigDecimal(covered) * 100 / (covered + missed)).setScale(2, BigDecimal.RoundingMode.DOWN)
    println(s"line coverage $percent % ($covered of ${covered + missed} lines); report in ${folder / "html" / "index.html"}")
    if (percent < least) {
      println(s"line coverage is below $least %; most lines that no test runs:")
      rows.sortBy(row => -row("LINE_MISSED").toInt).takeWhile(_("LINE_MISSED") != "0").take(20).foreach { row =>
        println(f"${row("LINE_MISSED").toInt}%6d  ${row("PACKAGE")}.${row("CLASS")}")
      }
    }
    percent >= least
  }
}
