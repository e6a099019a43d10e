// swift-tools-version: 6.2
// Version 0.2.0
import PackageDescription

// Rules this manifest keeps: no compiler flags that SwiftPM calls unsafe (it refuses them in a version-pinned
// dependency), no package beyond the toolchain, and libpng/libjpeg only behind the SwiftletImageCodecs product.
let package = Package(
  name: "swiftlet",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1), .macCatalyst(.v16)],
  products: [
    .library(name: "Swiftlet", targets: ["Swiftlet"]),
    .library(name: "SwiftletImage", targets: ["SwiftletImage"]),
    .library(name: "SwiftletVision", targets: ["SwiftletVision"]),
    .library(name: "SwiftletAudio", targets: ["SwiftletAudio"]),
    .library(name: "SwiftletText", targets: ["SwiftletText"]),
    .library(name: "SwiftletTracking", targets: ["SwiftletTracking"]),
    .library(name: "SwiftletImageCodecs", targets: ["SwiftletImageCodecs"]),
    .library(name: "SwiftletModelStore", targets: ["SwiftletModelStore"]),
    // Half a megabyte of models for synthetic images, for those who ask for them.
    .library(name: "SwiftletModels", targets: ["SwiftletModels"]),
    // Stands in for another library of that name, so it is no part of any other product.
    .library(name: "MediaPipeTasksVision", targets: ["MediaPipeTasksVision"]),
    .library(name: "MediaPipeTasksAudio", targets: ["MediaPipeTasksAudio"]),
    .library(name: "MediaPipeTasksText", targets: ["MediaPipeTasksText"]),
    // So do these.
    .library(name: "MLImage", targets: ["MLImage"]),
    .library(name: "MLKit", targets: ["MLKit"]),
    .library(name: "MLKitCommon", targets: ["MLKitCommon"]),
    .library(name: "MLKitVision", targets: ["MLKitVision"]),
    .library(name: "MLKitObjectDetectionCommon", targets: ["MLKitObjectDetectionCommon"]),
    .library(name: "MLKitObjectDetection", targets: ["MLKitObjectDetection"]),
    .library(name: "MLKitObjectDetectionCustom", targets: ["MLKitObjectDetectionCustom"]),
    .library(name: "MLKitImageLabelingCommon", targets: ["MLKitImageLabelingCommon"]),
    .library(name: "MLKitImageLabeling", targets: ["MLKitImageLabeling"]),
    .library(name: "MLKitImageLabelingCustom", targets: ["MLKitImageLabelingCustom"]),
    .library(name: "TensorFlowLite", targets: ["TensorFlowLite"]),
    .library(name: "LiteRT", targets: ["LiteRT"]),
    .library(name: "TensorFlowLiteTaskVision", targets: ["TensorFlowLiteTaskVision"]),
    // The tool's target is not called "swiftlet": on a file system that ignores case its folder would be
    // Sources/Engine/Swiftlet.
    .executable(name: "swiftlet", targets: ["SwiftletTool"]),
    .executable(name: "swiftlet-benchmarks", targets: ["SwiftletBenchmarks"]),
  ],
  targets: [
    // MARK: Engine, bottom to top
    .target(name: "CSwiftletBase"),
    // Memory, files, locks, deadlines, the platform's C library, and text from outside as it may be shown.
    .target(name: "SwiftletBase", dependencies: ["CSwiftletBase"]),
    .target(name: "SwiftletFlatBuffers", dependencies: ["SwiftletBase"]),
    .target(
      name: "SwiftletSchema", dependencies: ["SwiftletBase", "SwiftletFlatBuffers"]),
    .target(name: "SwiftletKernelSets"),
    .target(name: "SwiftletKernels", dependencies: ["SwiftletBase", "SwiftletKernelSets"]),
    // Called by the names of its functions in the kernel sets, so that the engine compiles beside it.
    .target(name: "SwiftletKernelSources", dependencies: ["SwiftletKernels"]),
    .target(
      name: "SwiftletEngine",
      dependencies: ["SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels"]),
    .target(
      name: "SwiftletOperators",
      dependencies: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletEngine", "SwiftletSchema", "SwiftletKernels",
        "SwiftletKernelSources",
      ]),
    .target(name: "Swiftlet", dependencies: ["SwiftletEngine", "SwiftletOperators"]),

    // MARK: Images and tasks
    .target(name: "SwiftletImage", dependencies: ["SwiftletBase"]),
    .target(
      name: "SwiftletTasks",
      dependencies: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators"]),
    .target(
      name: "SwiftletVision",
      dependencies: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels", "SwiftletEngine",
        "SwiftletOperators", "SwiftletImage", "SwiftletTasks",
      ]),
    // Tasks on sound. Knows nothing of images.
    .target(
      name: "SwiftletAudio",
      dependencies: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletTasks"]),
    .target(
      name: "SwiftletText",
      dependencies: ["SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletTasks"]),
    .target(
      name: "SwiftletTracking",
      dependencies: [
        "SwiftletBase", "SwiftletVision", "SwiftletTasks", "SwiftletImage", "SwiftletEngine", "SwiftletSchema",
      ]),
    // What the facades for MediaPipe have in common: each of them shows it as its own.
    .target(name: "MediaPipeTasksCommon", dependencies: ["SwiftletBase", "SwiftletTasks"]),
    .target(
      name: "MediaPipeTasksVision",
      dependencies: ["SwiftletBase", "MediaPipeTasksCommon", "SwiftletVision", "SwiftletTasks", "SwiftletImage"]),
    .target(
      name: "MediaPipeTasksAudio",
      dependencies: ["SwiftletBase", "MediaPipeTasksCommon", "SwiftletAudio", "SwiftletTasks"]),
    .target(
      name: "MediaPipeTasksText", dependencies: ["MediaPipeTasksCommon", "SwiftletText", "SwiftletTasks"]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    // Both libraries report errors with longjmp, which must not cross Swift frames: a little C stands between.
    .target(name: "CImageCodecs", dependencies: ["CPNG", "CJPEG"]),
    .target(
      name: "SwiftletImageCodecs",
      dependencies: ["SwiftletBase", "SwiftletImage", "CImageCodecs"]),
    // Images, sounds and sentences that are made, with what is in them: for training, tests and the demonstration.
    .target(name: "SwiftletSyntheticData", dependencies: ["SwiftletBase", "SwiftletImage"]),
    .target(name: "CSwiftletModels"),
    .target(name: "SwiftletModels", dependencies: ["CSwiftletModels", "SwiftletVision"]),

    // MARK: Downloads: the only target that touches a network, and only when it is told to
    .target(
      name: "SwiftletModelStore",
      dependencies: ["SwiftletBase", "SwiftletSchema"]),
    .target(name: "MLImage", dependencies: ["SwiftletVision", "SwiftletImage"]),
    // ML Kit's modules: classes are in those of models, of images, and in the two that are called common; the others
    // show them under the names that programs import.
    .target(
      name: "MLKitCommon",
      dependencies: [
        "SwiftletBase", "SwiftletModelStore", "SwiftletVision", "SwiftletTracking", "SwiftletTasks",
      ]),
    .target(name: "MLKitVision", dependencies: ["MLKitCommon", "MLImage", "SwiftletVision", "SwiftletTasks"]),
    .target(
      name: "MLKitObjectDetectionCommon",
      dependencies: ["MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletModels"]),
    .target(name: "MLKitObjectDetection", dependencies: ["MLKitObjectDetectionCommon"]),
    .target(name: "MLKitObjectDetectionCustom", dependencies: ["MLKitObjectDetectionCommon"]),
    .target(
      name: "MLKitImageLabelingCommon",
      dependencies: ["MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletModels"]),
    .target(name: "MLKitImageLabeling", dependencies: ["MLKitImageLabelingCommon"]),
    .target(name: "MLKitImageLabelingCustom", dependencies: ["MLKitImageLabelingCommon"]),
    .target(
      name: "MLKit",
      dependencies: [
        "MLKitObjectDetection", "MLKitObjectDetectionCustom", "MLKitImageLabeling", "MLKitImageLabelingCustom",
      ]),

    // MARK: TensorFlow Lite's interfaces
    // What both have in common: a model's graphs, and the steps from shapes to results.
    .target(
      name: "TensorFlowLiteCommon", dependencies: ["Swiftlet"]),
    .target(name: "TensorFlowLite", dependencies: ["TensorFlowLiteCommon", "SwiftletEngine"]),
    // The C types that LiteRT's interface names; declarations only.
    .target(name: "CLiteRT"),
    .target(
      name: "LiteRT",
      dependencies: ["SwiftletBase", "CLiteRT", "TensorFlowLiteCommon", "SwiftletEngine"]),
    .target(
      name: "TensorFlowLiteTaskVision",
      dependencies: ["SwiftletBase", "MLImage", "TensorFlowLiteCommon", "SwiftletVision", "SwiftletImage"]),

    // MARK: Command line
    .target(
      name: "SwiftletCommandLine", dependencies: ["SwiftletBase"]),
    .target(name: "SwiftletJSON", dependencies: ["SwiftletBase"]),
    .target(name: "SwiftletDrawing", dependencies: ["SwiftletBase", "SwiftletImage"]),
    .target(
      name: "SwiftletGolden",
      dependencies: ["SwiftletBase", "SwiftletEngine", "SwiftletOperators", "SwiftletSchema", "SwiftletImage"]),
    .target(
      name: "SwiftletMeasurement",
      dependencies: ["SwiftletBase", "SwiftletEngine", "SwiftletOperators", "SwiftletSchema"]),
    // The pages' styles, scripts and markup, which the compiler puts into the program as they are. Not as resources that
    // SwiftPM embeds: it writes an array of numbers for each, which the Swift compiler takes seconds for.
    .target(name: "CSwiftletReports", exclude: ["Shared", "Model", "Measurements", "Comparison", "Difference"]),
    .target(name: "SwiftletReports", dependencies: ["CSwiftletReports", "SwiftletBase", "SwiftletJSON"]),
    // The program's own models for sounds and texts; no library contains them.
    .target(name: "CSwiftletToolModels", dependencies: ["CSwiftletModels"]),
    .executableTarget(
      name: "SwiftletTool",
      dependencies: [
        "SwiftletBase", "Swiftlet", "SwiftletSchema", "SwiftletKernels", "SwiftletImage", "SwiftletVision",
        "SwiftletImageCodecs", "SwiftletTracking", "SwiftletAudio", "SwiftletText", "SwiftletCommandLine",
        "SwiftletJSON", "SwiftletDrawing", "SwiftletGolden", "SwiftletMeasurement", "SwiftletModelStore",
        "SwiftletReports", "SwiftletSyntheticData", "SwiftletModels", "CSwiftletToolModels",
      ]),
    .executableTarget(
      name: "SwiftletBenchmarks",
      dependencies: [
        "SwiftletBase", "Swiftlet", "SwiftletEngine", "SwiftletSchema", "SwiftletKernels", "SwiftletImage",
        "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletImageCodecs", "SwiftletCommandLine", "SwiftletJSON",
        "SwiftletMeasurement", "SwiftletTracking", "SwiftletTrackingEvaluation", "SwiftletTestSupport",
        "SwiftletSyntheticData", "SwiftletModels",
      ],
      path: "Benchmarks/SwiftletBenchmarks"),
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

    // MARK: Fuzzing: the targets that run the readers and the engine on mutated files, and their program. No product.
    .target(
      name: "SwiftletFuzzing",
      dependencies: [
        "SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletImage",
        "SwiftletImageCodecs", "SwiftletGolden", "SwiftletModelStore", "SwiftletVision", "SwiftletAudio",
        "SwiftletText", "SwiftletMeasurement", "MLKitCommon", "SwiftletTestSupport", "ModelStoreTestSupport",
      ],
      path: "Tools/fuzz/SwiftletFuzzing"),
    .executableTarget(
      name: "SwiftletFuzz", dependencies: ["SwiftletBase", "SwiftletFuzzing", "SwiftletCommandLine"],
      path: "Tools/fuzz/SwiftletFuzz"),

    // MARK: Tests, one target per module
    .target(
      name: "SwiftletTestSupport",
      dependencies: [
        "SwiftletBase", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletImage", "SwiftletImageCodecs",
        "MediaPipeImages", "SwiftletSyntheticData",
      ],
      path: "Tests/Support/SwiftletTestSupport"),
    // Models and bundles of every vision task's form that find what a test wants.
    // A store whose clock doesn't wait, and servers' answers that were written down.
    .target(
      name: "ModelStoreTestSupport", dependencies: ["SwiftletBase", "SwiftletModelStore", "SwiftletTestSupport"],
      path: "Tests/Support/ModelStoreTestSupport"),
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
    .testTarget(name: "SwiftletBaseTests", dependencies: ["SwiftletBase"]),
    .testTarget(
      name: "SwiftletFlatBuffersTests", dependencies: ["SwiftletBase", "SwiftletFlatBuffers", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletSchemaTests",
      dependencies: ["SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletKernelsTests",
      dependencies: ["SwiftletBase", "SwiftletKernels", "SwiftletKernelSources", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletEngineTests",
      dependencies: ["SwiftletBase", "Swiftlet", "SwiftletEngine", "SwiftletOperators", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletOperatorsTests",
      dependencies: [
        "SwiftletBase", "Swiftlet", "SwiftletEngine", "SwiftletOperators", "SwiftletGolden", "SwiftletTestSupport",
      ],
      resources: [.copy("Golden")]),
    .testTarget(
      name: "SwiftletImageTests", dependencies: ["SwiftletBase", "SwiftletImage", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletSyntheticDataTests",
      dependencies: ["SwiftletSyntheticData", "SwiftletImage", "SwiftletAudio", "SwiftletText", "SwiftletTestSupport"]),
    .testTarget(name: "SwiftletImageCodecsTests", dependencies: ["SwiftletImageCodecs", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletTasksTests", dependencies: ["SwiftletBase", "SwiftletTasks", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletVisionTests",
      dependencies: [
        "SwiftletBase", "SwiftletVision", "SwiftletTasks", "SwiftletImageCodecs", "SwiftletTestSupport",
        "SwiftletVisionTestSupport", "SteadyState",
      ]),
    // The counts are those of an optimized build, whose modules are as users have them: no module is imported with
    // `@testable` here.
    .testTarget(
      name: "TaskAllocationTests",
      dependencies: [
        "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletTracking", "SwiftletImageCodecs",
        "SwiftletTestSupport", "SwiftletVisionTestSupport", "SteadyState",
      ],
      path: "Tests/Project/TaskAllocationTests"),
    .testTarget(
      name: "SwiftletAudioTests",
      dependencies: ["SwiftletBase", "SwiftletAudio", "SwiftletTasks", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletTextTests",
      dependencies: ["SwiftletBase", "SwiftletText", "SwiftletTasks", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletModelsTests", dependencies: ["SwiftletModels", "SwiftletVision", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletTrackingTests",
      dependencies: ["SwiftletTracking", "SwiftletImageCodecs", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletTrackingEvaluationTests",
      dependencies: ["SwiftletTrackingEvaluation", "SwiftletTracking", "SwiftletCommandLine", "SwiftletTestSupport"],
      path: "Tests/Project/SwiftletTrackingEvaluationTests"),
    .testTarget(
      name: "MediaPipeTasksVisionTests",
      dependencies: ["SwiftletBase", "MediaPipeTasksVision", "SwiftletImageCodecs", "SwiftletTestSupport"]),
    .testTarget(name: "MediaPipeTasksAudioTests", dependencies: ["MediaPipeTasksAudio", "SwiftletTestSupport"]),
    .testTarget(name: "MediaPipeTasksTextTests", dependencies: ["MediaPipeTasksText", "SwiftletTestSupport"]),
    .testTarget(name: "MLImageTests", dependencies: ["MLImage"]),
    .testTarget(
      name: "MLKitTests",
      dependencies: [
        "SwiftletBase", "MLKit", "MLKitCommon", "SwiftletModelStore", "SwiftletSyntheticData", "SwiftletImageCodecs",
        "SwiftletTestSupport", "ModelStoreTestSupport",
      ]),
    .testTarget(
      name: "TensorFlowLiteTests",
      dependencies: ["SwiftletBase", "TensorFlowLite", "SwiftletEngine", "SwiftletTestSupport"]),
    // Apps of other libraries are written in Swift 5: their code, and tests of it.
    .testTarget(
      name: "SwiftFiveClientTests",
      dependencies: [
        "TensorFlowLite", "LiteRT", "TensorFlowLiteTaskVision", "MLImage", "MLKit", "MediaPipeTasksVision",
        "MediaPipeTasksAudio", "MediaPipeTasksText", "SwiftletTestSupport",
      ],
      path: "Tests/Facades/SwiftFiveClientTests", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "TensorFlowLiteTaskVisionTests",
      dependencies: ["TensorFlowLiteTaskVision", "SwiftletImageCodecs", "SwiftletTestSupport"]),
    .testTarget(name: "LiteRTTests", dependencies: ["LiteRT", "CLiteRT", "SwiftletTestSupport"]),
    .testTarget(name: "SwiftletGoldenTests", dependencies: ["SwiftletGolden", "SwiftletTestSupport"]),
    // The process that tests of the model store kill.
    .executableTarget(
      name: "ModelDownloadChild", dependencies: ["SwiftletModelStore"], path: "Tests/Tasks/ModelDownloadChild"),
    .testTarget(
      name: "SwiftletModelStoreTests",
      dependencies: [
        "SwiftletBase", "SwiftletModelStore", "SwiftletTestSupport", "ModelStoreTestSupport", "ModelDownloadChild",
      ]),
    .testTarget(name: "SwiftletCommandLineTests", dependencies: ["SwiftletBase", "SwiftletCommandLine"]),
    .testTarget(name: "SwiftletJSONTests", dependencies: ["SwiftletJSON"]),
    .testTarget(name: "SwiftletDrawingTests", dependencies: ["SwiftletDrawing", "SwiftletImage"]),
    .testTarget(
      name: "SwiftletReportsTests",
      dependencies: ["SwiftletReports", "SwiftletJSON", "SwiftletBase", "SwiftletTestSupport"]),
    .testTarget(
      name: "SwiftletMeasurementTests", dependencies: ["SwiftletMeasurement", "SwiftletEngine", "SwiftletTestSupport"]),
    .testTarget(
      name: "CommandLineEndToEndTests",
      dependencies: [
        "SwiftletTool", "SwiftletBenchmarks", "GenerateScenes", "SwiftletBase", "SwiftletGolden", "SwiftletImageCodecs",
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

// What Apple's stores want to know of a library: every product stands on the first. Only there: the bundle of a resource
// would bring Foundation along.
for target in package.targets where ["SwiftletBase", "SwiftletModelStore"].contains(target.name) {
  #if canImport(Darwin)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #else
    target.exclude = ["PrivacyInfo.xcprivacy"]
  #endif
}

// Where modules lie: `Sources` and `Tests` have a folder for each layer, so that their listing explains the system.
let layers = [
  "Engine": [
    "CSwiftletBase", "SwiftletBase", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernelSets", "SwiftletKernels",
    "SwiftletKernelSources", "SwiftletEngine", "SwiftletOperators", "Swiftlet",
  ],
  "Images": ["SwiftletImage", "SwiftletImageCodecs", "CImageCodecs", "CPNG", "CJPEG"],
  "Tasks": [
    "SwiftletTasks", "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletTracking", "SwiftletModels",
    "CSwiftletModels", "SwiftletModelStore",
  ],
  "Facades": [
    "MediaPipeTasksCommon", "MediaPipeTasksVision", "MediaPipeTasksAudio", "MediaPipeTasksText", "MLImage",
    "MLKit", "MLKitCommon", "MLKitVision", "MLKitObjectDetectionCommon", "MLKitObjectDetection",
    "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon", "MLKitImageLabeling", "MLKitImageLabelingCustom",
    "TensorFlowLiteCommon", "TensorFlowLite", "CLiteRT", "LiteRT", "TensorFlowLiteTaskVision",
  ],
  "Command": [
    "SwiftletTool", "CSwiftletToolModels", "SwiftletCommandLine", "SwiftletJSON", "SwiftletReports", "CSwiftletReports",
    "SwiftletGolden", "SwiftletMeasurement", "SwiftletSyntheticData", "SwiftletDrawing",
  ],
]
for (layer, modules) in layers {
  for target in package.targets where target.path == nil {
    if modules.contains(target.name) {
      target.path = "Sources/\(layer)/\(target.name)"
    } else if target.type == .test, modules.contains(String(target.name.dropLast("Tests".count))) {
      target.path = "Tests/\(layer)/\(target.name)"
    }
  }
}

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
