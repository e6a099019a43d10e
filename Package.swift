// swift-tools-version: 6.2
// Version 0.2.0
import PackageDescription

// This manifest has no compiler flags that SwiftPM calls unsafe (it refuses them in a version-pinned dependency) and no
// package beyond the toolchain. Only the product SwiftletImageCodecs needs libpng and libjpeg.

/// A module of `Sources`: its target, its product if it has one, and its test target if it has one.
struct Module {
  let name: String
  /// Whether the module is a library product of the same name.
  var isProduct = false
  /// The modules that it imports.
  var uses: [String] = []
  /// The modules that its tests import besides it; `nil` if no test target has its name.
  var tests: [String]?
  /// Whether Apple's stores need a privacy manifest, because the module calls system functions that require a reason.
  var hasPrivacyManifest = false
  /// The files and folders of the module that are not compiled.
  var excluded: [String] = []
  /// The resources of its tests.
  var testResources: [Resource] = []

  init(
    _ name: String, isProduct: Bool = false, uses: [String] = [], tests: [String]? = nil,
    hasPrivacyManifest: Bool = false, excluded: [String] = [], testResources: [Resource] = []
  ) {
    self.name = name
    self.isProduct = isProduct
    self.uses = uses
    self.tests = tests
    self.hasPrivacyManifest = hasPrivacyManifest
    self.excluded = excluded
    self.testResources = testResources
  }

  /// The targets of the module, in the folders of a layer.
  ///
  /// The privacy manifest is a resource on Apple's platforms only: the bundle of a resource brings Foundation along.
  func targets(in layer: String) -> [Target] {
    let target = Target.target(
      name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(layer)/\(name)", exclude: excluded)
    if hasPrivacyManifest {
      #if canImport(Darwin)
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
      #else
        target.exclude.append("PrivacyInfo.xcprivacy")
      #endif
    }
    guard let tests else { return [target] }
    return [
      target,
      .testTarget(
        name: name + "Tests", dependencies: ([name] + tests).map { .byName(name: $0) },
        path: "Tests/\(layer)/\(name)Tests", resources: testResources),
    ]
  }
}

/// The modules of each layer, from the bottom to the top. A layer is a folder of `Sources` and of `Tests`.
let layers: KeyValuePairs<String, [Module]> = [
  "Engine": [
    Module("CSwiftletBase"),
    // Memory, files, locks, deadlines, the C library of the platform, and the sanitizing of untrusted text.
    Module("SwiftletBase", uses: ["CSwiftletBase"], tests: [], hasPrivacyManifest: true),
    Module("SwiftletFlatBuffers", uses: ["SwiftletBase"], tests: ["SwiftletBase", "SwiftletTestSupport"]),
    Module(
      "SwiftletSchema", uses: ["SwiftletBase", "SwiftletFlatBuffers"],
      tests: ["SwiftletBase", "SwiftletFlatBuffers", "SwiftletTestSupport"]),
    Module("SwiftletKernelSets"),
    Module(
      "SwiftletKernels", uses: ["SwiftletBase", "SwiftletKernelSets"],
      tests: ["SwiftletBase", "SwiftletKernelSources", "SwiftletTestSupport"]),
    // The kernel sets call it by the names of its functions, so the engine compiles without it.
    Module("SwiftletKernelSources", uses: ["SwiftletKernels"]),
    Module(
      "SwiftletEngine", uses: ["SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels"],
      tests: ["SwiftletBase", "Swiftlet", "SwiftletOperators", "SwiftletTestSupport"]),
    Module(
      "SwiftletOperators",
      uses: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletEngine", "SwiftletSchema", "SwiftletKernels",
        "SwiftletKernelSources",
      ], tests: ["SwiftletBase", "Swiftlet", "SwiftletEngine", "SwiftletGolden", "SwiftletTestSupport"],
      testResources: [.copy("Golden")]),
    Module("Swiftlet", isProduct: true, uses: ["SwiftletEngine", "SwiftletOperators"]),
  ],
  "Images": [
    Module(
      "SwiftletImage", isProduct: true, uses: ["SwiftletBase", "SwiftletKernels", "SwiftletKernelSources"],
      tests: ["SwiftletBase", "SwiftletKernels", "SwiftletTestSupport"]),
    // libpng and libjpeg report errors with longjmp, which must not cross Swift frames; this C code handles them.
    Module("CImageCodecs", uses: ["CPNG", "CJPEG"]),
    Module(
      "SwiftletImageCodecs", isProduct: true, uses: ["SwiftletBase", "SwiftletImage", "CImageCodecs"],
      tests: ["SwiftletTestSupport"]),
  ],
  "Tasks": [
    Module(
      "SwiftletTasks", uses: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators"],
      tests: ["SwiftletBase", "SwiftletTestSupport"]),
    Module(
      "SwiftletVision", isProduct: true,
      uses: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels", "SwiftletEngine",
        "SwiftletOperators", "SwiftletImage", "SwiftletTasks",
      ],
      tests: [
        "SwiftletBase", "SwiftletKernels", "SwiftletTasks", "SwiftletImageCodecs", "SwiftletTestSupport",
        "SwiftletVisionTestSupport", "SteadyState",
      ]),
    Module(
      "SwiftletAudio", isProduct: true, uses: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletTasks"],
      tests: ["SwiftletBase", "SwiftletTasks", "SwiftletTestSupport"]),
    Module(
      "SwiftletText", isProduct: true, uses: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletTasks"],
      tests: ["SwiftletBase", "SwiftletTasks", "SwiftletTestSupport"]),
    Module(
      "SwiftletTracking", isProduct: true,
      uses: ["SwiftletBase", "SwiftletVision", "SwiftletTasks", "SwiftletImage", "SwiftletEngine", "SwiftletSchema"],
      tests: ["SwiftletImageCodecs", "SwiftletTestSupport"]),
    Module("CSwiftletModels"),
    // The bundled models: half a megabyte, which only programs that use this product contain.
    Module(
      "SwiftletModels", isProduct: true, uses: ["CSwiftletModels", "SwiftletVision"],
      tests: ["SwiftletVision", "SwiftletTestSupport"]),
    // The only module that uses the network, and only on request.
    Module(
      "SwiftletModelStore", isProduct: true, uses: ["SwiftletBase", "SwiftletSchema"],
      tests: ["SwiftletBase", "SwiftletTestSupport", "ModelStoreTestSupport", "ModelDownloadChild"],
      hasPrivacyManifest: true),
  ],
  "Facades": [
    // The declarations that the three MediaPipe facades share and re-export.
    Module("MediaPipeTasksCommon", uses: ["SwiftletBase", "SwiftletTasks"]),
    Module(
      "MediaPipeTasksVision", isProduct: true,
      uses: ["SwiftletBase", "MediaPipeTasksCommon", "SwiftletVision", "SwiftletTasks", "SwiftletImage"],
      tests: ["SwiftletBase", "SwiftletImageCodecs", "SwiftletTestSupport"]),
    Module(
      "MediaPipeTasksAudio", isProduct: true,
      uses: ["SwiftletBase", "MediaPipeTasksCommon", "SwiftletAudio", "SwiftletTasks"], tests: ["SwiftletTestSupport"]),
    Module(
      "MediaPipeTasksText", isProduct: true, uses: ["MediaPipeTasksCommon", "SwiftletText", "SwiftletTasks"],
      tests: ["SwiftletTestSupport"]),
    Module("MLImage", isProduct: true, uses: ["SwiftletVision", "SwiftletImage"], tests: []),
    // The ML Kit classes are in the modules named Common and in MLKitVision; the others re-export them.
    Module(
      "MLKitCommon", isProduct: true,
      uses: ["SwiftletBase", "SwiftletModelStore", "SwiftletVision", "SwiftletTracking", "SwiftletTasks"]),
    Module(
      "MLKitVision", isProduct: true,
      uses: ["MLKitCommon", "MLImage", "SwiftletVision", "SwiftletTasks", "SwiftletBase"]),
    Module(
      "MLKitObjectDetectionCommon", isProduct: true,
      uses: ["MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletModels"]),
    Module("MLKitObjectDetection", isProduct: true, uses: ["MLKitObjectDetectionCommon"]),
    Module("MLKitObjectDetectionCustom", isProduct: true, uses: ["MLKitObjectDetectionCommon"]),
    Module(
      "MLKitImageLabelingCommon", isProduct: true,
      uses: ["MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletModels"]),
    Module("MLKitImageLabeling", isProduct: true, uses: ["MLKitImageLabelingCommon"]),
    Module("MLKitImageLabelingCustom", isProduct: true, uses: ["MLKitImageLabelingCommon"]),
    Module(
      "MLKitPoseDetectionCommon", isProduct: true,
      uses: ["MLKitVision", "MLKitCommon", "SwiftletVision", "SwiftletBase"]),
    Module("MLKitPoseDetection", isProduct: true, uses: ["MLKitPoseDetectionCommon"]),
    Module("MLKitPoseDetectionAccurate", isProduct: true, uses: ["MLKitPoseDetectionCommon"]),
    Module(
      "MLKitFaceDetection", isProduct: true,
      uses: ["MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletVision", "SwiftletBase"]),
    Module(
      "MLKitSegmentationCommon", isProduct: true,
      uses: ["MLKitVision", "MLKitCommon", "SwiftletVision", "SwiftletBase"]),
    Module("MLKitSegmentationSelfie", isProduct: true, uses: ["MLKitSegmentationCommon"]),
    Module("MLKitLanguageID", isProduct: true, uses: ["MLKitCommon", "SwiftletText", "SwiftletTasks", "SwiftletBase"]),
    Module(
      "MLKit", isProduct: true,
      uses: [
        "MLKitObjectDetection", "MLKitObjectDetectionCustom", "MLKitImageLabeling", "MLKitImageLabelingCustom",
        "MLKitPoseDetection", "MLKitPoseDetectionAccurate", "MLKitFaceDetection", "MLKitSegmentationSelfie",
        "MLKitLanguageID",
      ],
      tests: [
        "SwiftletBase", "MLKitCommon", "MLKitFaceDetection", "SwiftletModelStore", "SwiftletSyntheticData",
        "SwiftletImageCodecs", "SwiftletTestSupport", "ModelStoreTestSupport",
      ]),
    // The graphs of a model and their states, for the TensorFlow Lite and LiteRT facades.
    Module("TensorFlowLiteCommon", uses: ["Swiftlet"]),
    Module(
      "TensorFlowLite", isProduct: true, uses: ["TensorFlowLiteCommon", "SwiftletEngine"],
      tests: ["SwiftletBase", "SwiftletEngine", "SwiftletTestSupport"]),
    // The C types that the API of LiteRT names; declarations only.
    Module("CLiteRT"),
    Module(
      "LiteRT", isProduct: true, uses: ["SwiftletBase", "CLiteRT", "TensorFlowLiteCommon", "SwiftletEngine"],
      tests: ["CLiteRT", "SwiftletTestSupport"]),
    Module(
      "TensorFlowLiteTaskVision", isProduct: true,
      uses: ["SwiftletBase", "MLImage", "TensorFlowLiteCommon", "SwiftletVision", "SwiftletImage"],
      tests: ["SwiftletImageCodecs", "SwiftletTestSupport"]),
  ],
  "Command": [
    Module("SwiftletCommandLine", uses: ["SwiftletBase"], tests: ["SwiftletBase"]),
    Module("SwiftletJSON", uses: ["SwiftletBase"], tests: []),
    Module("SwiftletDrawing", uses: ["SwiftletBase", "SwiftletImage"], tests: ["SwiftletImage"]),
    Module(
      "SwiftletGolden",
      uses: ["SwiftletBase", "SwiftletEngine", "SwiftletOperators", "SwiftletSchema", "SwiftletImage"],
      tests: ["SwiftletTestSupport"]),
    Module(
      "SwiftletMeasurement", uses: ["SwiftletBase", "SwiftletEngine", "SwiftletOperators", "SwiftletSchema"],
      tests: ["SwiftletEngine", "SwiftletTestSupport"]),
    // What is wrong with a model, and in which layer.
    Module(
      "SwiftletDiagnosis", isProduct: true,
      uses: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators"],
      tests: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletTestSupport"]),
    // Generated images, audio, and sentences with their ground truth, for training, tests, and the demo.
    Module(
      "SwiftletSyntheticData", uses: ["SwiftletBase", "SwiftletImage"],
      tests: ["SwiftletImage", "SwiftletAudio", "SwiftletText", "SwiftletTestSupport"]),
    // The styles, scripts, and markup of the reports, which the C compiler embeds. SwiftPM would embed a resource as an
    // array literal, which takes the Swift compiler seconds.
    Module("CSwiftletReports", excluded: ["Shared", "Model", "Measurements", "Comparison", "Difference", "Studio"]),
    Module(
      "SwiftletReports", uses: ["CSwiftletReports", "SwiftletBase", "SwiftletJSON"],
      tests: ["SwiftletJSON", "SwiftletBase", "SwiftletTestSupport"]),
    // HTTP for a page on this machine.
    Module(
      "SwiftletLocalServer", uses: ["SwiftletBase", "SwiftletJSON"],
      tests: ["SwiftletBase", "SwiftletTestSupport"]),
    // The audio and text models of the command-line tool; no library contains them.
    Module("CSwiftletToolModels", uses: ["CSwiftletModels"]),
  ],
]

let package = Package(
  name: "swiftlet",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1), .macCatalyst(.v16)],
  products: layers.flatMap(\.value).filter(\.isProduct).map { .library(name: $0.name, targets: [$0.name]) } + [
    // The target is not named "swiftlet": on a file system that ignores case, its folder would be that of the product
    // Swiftlet.
    .executable(name: "swiftlet", targets: ["SwiftletTool"]),
    .executable(name: "swiftlet-benchmarks", targets: ["SwiftletBenchmarks"]),
  ],
  traits: [
    .default(enabledTraits: ["FoundationSupport"]),
    .trait(
      name: "FoundationSupport",
      description: "URL and Data in the API of models, and LocalizedError for errors; without it, programs that are "
        + "linked statically on Linux are smaller by six megabytes"),
  ],
  targets: layers.flatMap { layer, modules in modules.flatMap { $0.targets(in: layer) } } + [
    .systemLibrary(
      name: "CPNG", path: "Sources/Images/CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CJPEG", path: "Sources/Images/CJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),

    // MARK: Programs
    .executableTarget(
      name: "SwiftletTool",
      dependencies: [
        "SwiftletBase", "Swiftlet", "SwiftletSchema", "SwiftletKernels", "SwiftletImage", "SwiftletVision",
        "SwiftletImageCodecs", "SwiftletTracking", "SwiftletAudio", "SwiftletText", "SwiftletCommandLine",
        "SwiftletJSON", "SwiftletDrawing", "SwiftletGolden", "SwiftletMeasurement", "SwiftletModelStore",
        "SwiftletReports", "SwiftletLocalServer", "SwiftletSyntheticData", "SwiftletModels", "CSwiftletToolModels",
        "SwiftletDiagnosis",
      ],
      path: "Sources/Command/SwiftletTool"),
    .executableTarget(
      name: "SwiftletBenchmarks",
      dependencies: [
        "SwiftletBase", "Swiftlet", "SwiftletEngine", "SwiftletSchema", "SwiftletKernels", "SwiftletImage",
        "SwiftletTasks", "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletImageCodecs",
        "SwiftletCommandLine", "SwiftletJSON",
        "SwiftletMeasurement", "SwiftletTracking", "SwiftletTrackingEvaluation", "SwiftletTestSupport",
        "SwiftletSyntheticData", "SwiftletModels", "CMachinePeaks",
      ],
      path: "Benchmarks/SwiftletBenchmarks"),
    .target(name: "CMachinePeaks", path: "Benchmarks/CMachinePeaks"),
    .target(
      name: "SwiftletTrackingEvaluation",
      dependencies: ["SwiftletTracking", "SwiftletCommandLine", "SwiftletJSON", "SwiftletTestSupport"],
      path: "Benchmarks/SwiftletTrackingEvaluation"),

    .executableTarget(
      name: "GenerateScenes",
      dependencies: [
        "SwiftletSyntheticData", "SwiftletImage", "SwiftletSchema", "SwiftletGolden", "SwiftletCommandLine",
      ],
      path: "Tools/train/GenerateScenes"),
    // The fuzzers, which run the readers and the engine on mutated files.
    .target(
      name: "SwiftletFuzzing",
      dependencies: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletImage",
        "SwiftletImageCodecs", "SwiftletGolden", "SwiftletModelStore", "SwiftletVision", "SwiftletAudio",
        "SwiftletText", "SwiftletMeasurement", "SwiftletDiagnosis", "SwiftletLocalServer", "MLKitCommon",
        "SwiftletTestSupport", "ModelStoreTestSupport",
      ],
      path: "Tools/fuzz/SwiftletFuzzing"),
    .executableTarget(
      name: "SwiftletFuzz", dependencies: ["SwiftletBase", "SwiftletFuzzing", "SwiftletCommandLine"],
      path: "Tools/fuzz/SwiftletFuzz"),

    // MARK: Test support and tests of more than one module
    .target(
      name: "SwiftletTestSupport",
      dependencies: [
        "SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletImage", "SwiftletImageCodecs",
        "MediaPipeImages", "SwiftletSyntheticData",
      ],
      path: "Tests/Support/SwiftletTestSupport"),
    // A model store whose clock doesn't wait, and recorded responses of servers.
    .target(
      name: "ModelStoreTestSupport", dependencies: ["SwiftletBase", "SwiftletModelStore", "SwiftletTestSupport"],
      path: "Tests/Support/ModelStoreTestSupport"),
    // Models and bundles for every vision task with prescribed results.
    .target(
      name: "SwiftletVisionTestSupport",
      dependencies: ["SwiftletSchema", "SwiftletImage", "SwiftletVision", "SwiftletTestSupport"],
      path: "Tests/Support/SwiftletVisionTestSupport"),
    // Decodes JPEG files as MediaPipe's own loader does, so that results are those of the same pixels.
    .target(name: "MediaPipeImages", dependencies: ["CJPEG"], path: "Tests/Support/MediaPipeImages"),
    // Stands before the system's allocator in the program of the tests, and only there.
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    // Counts what calls allocate once they have run before.
    .target(name: "SteadyState", dependencies: ["AllocationCounter"], path: "Tests/Support/SteadyState"),
    // Allocations are counted in an optimized build of the modules as users have them, so nothing is imported with
    // `@testable`.
    .testTarget(
      name: "TaskAllocationTests",
      dependencies: [
        "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletTracking", "SwiftletImageCodecs",
        "SwiftletTestSupport", "SwiftletVisionTestSupport", "SteadyState",
      ],
      path: "Tests/Project/TaskAllocationTests"),
    .testTarget(
      name: "SwiftletTrackingEvaluationTests",
      dependencies: ["SwiftletTrackingEvaluation", "SwiftletTracking", "SwiftletCommandLine", "SwiftletTestSupport"],
      path: "Tests/Project/SwiftletTrackingEvaluationTests"),
    // Code of apps in Swift 5 mode, which import the facades, and its tests.
    .testTarget(
      name: "SwiftFiveClientTests",
      dependencies: [
        "TensorFlowLite", "LiteRT", "TensorFlowLiteTaskVision", "MLImage", "MLKit", "MediaPipeTasksVision",
        "MediaPipeTasksAudio", "MediaPipeTasksText", "SwiftletTestSupport",
      ],
      path: "Tests/Facades/SwiftFiveClientTests", swiftSettings: [.swiftLanguageMode(.v5)]),
    // The process that tests of the model store kill.
    .executableTarget(
      name: "ModelDownloadChild", dependencies: ["SwiftletModelStore"], path: "Tests/Tasks/ModelDownloadChild"),
    .testTarget(
      name: "CommandLineEndToEndTests",
      dependencies: [
        "SwiftletTool", "SwiftletBenchmarks", "GenerateScenes", "SwiftletBase", "SwiftletKernels", "SwiftletGolden",
        "SwiftletImage", "SwiftletImageCodecs", "SwiftletCommandLine", "SwiftletJSON", "SwiftletLocalServer",
        "SwiftletModelStore", "SwiftletModels", "MediaPipeTasksVision", "MediaPipeTasksAudio", "MediaPipeTasksText",
        "MLKit", "SwiftletTestSupport",
      ], path: "Tests/Command/CommandLineEndToEndTests"),
    .testTarget(
      name: "SwiftletFuzzingTests",
      dependencies: [
        "SwiftletBase", "SwiftletFuzzing", "SwiftletFuzz", "SwiftletEngine", "SwiftletAudio", "SwiftletTestSupport",
      ],
      path: "Tests/Project/SwiftletFuzzingTests"),
    .testTarget(name: "LayoutTests", dependencies: ["SwiftletTestSupport"], path: "Tests/Project/LayoutTests"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("InternalImportsByDefault")]
}

// `SWIFTLET_TARGETS="SwiftletEngineTests"` leaves only these targets and their dependencies, so that the tests of one
// module build in a fraction of the time. For developers, sanitizers, and emulators; no build requires it.
if let names = Context.environment["SWIFTLET_TARGETS"], !names.isEmpty {
  var kept: Set<String> = []
  var waiting = names.split(separator: " ").map(String.init)
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted else { continue }
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("SWIFTLET_TARGETS must name targets of this package, got '\(name)'")
    }
    for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll {
    switch $0 {
    case let library as Product.Library: !kept.isSuperset(of: library.targets)
    case let program as Product.Executable: !kept.isSuperset(of: program.targets)
    default: true
    }
  }
}

// The portable kernels are checked in as assembly, as those of every instruction set are. Sanitizers do not see into
// assembly: for them, and for processors that have none, the sources are compiled with the package.
if Context.environment["SWIFTLET_COMPILES_KERNELS"] != nil {
  for target in package.targets where target.name == "SwiftletKernelSets" {
    target.cSettings = [.define("SWIFTLET_COMPILES_KERNELS")]
  }
  for target in package.targets where target.name == "SwiftletKernelSources" {
    target.swiftSettings?.append(.define("SWIFTLET_COMPILES_KERNELS"))
  }
}
