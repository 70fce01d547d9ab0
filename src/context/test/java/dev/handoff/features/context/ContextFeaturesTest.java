package dev.handoff.features.context;

import static io.cucumber.junit.platform.engine.Constants.GLUE_PROPERTY_NAME;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/// Runs the scenarios in `src/context/test/resources/features`.
@Suite
@IncludeEngines("cucumber")
@SelectPackages("features.context")
@ConfigurationParameter(key = GLUE_PROPERTY_NAME, value = "dev.handoff.features.context")
class ContextFeaturesTest {}
