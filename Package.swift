// swift-tools-version: 6.2
// Version 0.2.0
import PackageDescription

// Rules for this manifest: no compiler flags that SwiftPM considers unsafe (it rejects them in a version-pinned
// dependency), no packages besides the toolchain, and libpng and libjpeg only in the product SwiftletImageCodecs.
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
    // Optional bundled models for synthetic images, half a megabyte.
    .library(name: "SwiftletModels", targets: ["SwiftletModels"]),
    // A drop-in replacement for the library with this name, so it isn't part of any other product.
    .library(name: "MediaPipeTasksVision", targets: ["MediaPipeTasksVision"]),
    .library(name: "MediaPipeTasksAudio", targets: ["MediaPipeTasksAudio"]),
    .library(name: "MediaPipeTasksText", targets: ["MediaPipeTasksText"]),
    // Drop-in replacements, too.
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
    // The tool's target isn't called "swiftlet": on a case-insensitive file system, its directory would be
    // Sources/Engine/Swiftlet.
    .executable(name: "swiftlet", targets: ["SwiftletTool"]),
    .executable(name: "swiftlet-benchmarks", targets: ["SwiftletBenchmarks"]),
  ],
  targets: [
    // MARK: Engine, bottom to top
    .target(name: "CSwiftletBase"),
    // Memory, files, locks, deadlines, the platform's C library, and the sanitizing of untrusted text.
    .target(name: "SwiftletBase", dependencies: ["CSwiftletBase"]),
    .target(name: "SwiftletFlatBuffers", dependencies: ["SwiftletBase"]),
    .target(
      name: "SwiftletSchema", dependencies: ["SwiftletBase", "SwiftletFlatBuffers"]),
    .target(name: "SwiftletKernelSets"),
    .target(name: "SwiftletKernels", dependencies: ["SwiftletBase", "SwiftletKernelSets"]),
    // Called through the function names in the kernel sets, so that the engine compiles in parallel.
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
    // Audio tasks, which don't depend on images.
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
    // The shared part of the MediaPipe facades; each of them re-exports it.
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
    // Both libraries report errors with longjmp, which must not cross Swift frames, so they are called through C code.
    .target(name: "CImageCodecs", dependencies: ["CPNG", "CJPEG"]),
    .target(
      name: "SwiftletImageCodecs",
      dependencies: ["SwiftletBase", "SwiftletImage", "CImageCodecs"]),
    // Synthetic images, audio, and sentences with their labels: for training, tests, and the demo.
    .target(name: "SwiftletSyntheticData", dependencies: ["SwiftletBase", "SwiftletImage"]),
    .target(name: "CSwiftletModels"),
    .target(name: "SwiftletModels", dependencies: ["CSwiftletModels", "SwiftletVision"]),

    // MARK: Downloads: the only target that uses a network, and only on request
    .target(
      name: "SwiftletModelStore",
      dependencies: ["SwiftletBase", "SwiftletSchema"]),
    .target(name: "MLImage", dependencies: ["SwiftletVision", "SwiftletImage"]),
    // ML Kit's modules. Classes are declared in the modules of models and of images, and in the two Common modules; the
    // other modules re-export them under the names that programs import.
    .target(
      name: "MLKitCommon",
      dependencies: [
        "SwiftletBase", "SwiftletSchema", "SwiftletModelStore", "SwiftletVision", "SwiftletTracking", "SwiftletTasks",
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
    // The shared part of TensorFlowLite and LiteRT: a model's graphs, and the steps from shapes to results.
    .target(
      name: "TensorFlowLiteCommon", dependencies: ["Swiftlet", "SwiftletSchema"]),
    .target(name: "TensorFlowLite", dependencies: ["TensorFlowLiteCommon", "SwiftletEngine"]),
    // Declarations of the C types in LiteRT's interface.
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
    // The pages' styles, scripts, and markup, which the compiler embeds unchanged. They aren't embedded SwiftPM
    // resources, because SwiftPM writes each as an array of numbers, which takes the Swift compiler seconds.
    .target(name: "CSwiftletReports", exclude: ["Shared", "Model", "Measurements", "Comparison", "Difference"]),
    .target(name: "SwiftletReports", dependencies: ["CSwiftletReports", "SwiftletBase", "SwiftletJSON"]),
    // The program's own audio and text models; no library contains them.
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

    // MARK: Fuzzing: targets that run the parsers and the engine on mutated files, and their program. Not a product.
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
    // A store with a clock that doesn't wait, and recorded server responses.
    .target(
      name: "ModelStoreTestSupport", dependencies: ["SwiftletBase", "SwiftletModelStore", "SwiftletTestSupport"],
      path: "Tests/Support/ModelStoreTestSupport"),
    // Models and bundles for every vision task that return the results that a test needs.
    .target(
      name: "SwiftletVisionTestSupport",
      dependencies: ["SwiftletSchema", "SwiftletImage", "SwiftletVision", "SwiftletTestSupport"],
      path: "Tests/Support/SwiftletVisionTestSupport"),
    // Decodes JPEG files as MediaPipe's own loader does, so that results are compared on identical pixels.
    .target(name: "MediaPipeImages", dependencies: ["CJPEG"], path: "Tests/Support/MediaPipeImages"),
    // Replaces the system's allocator in the test program only.
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    // Counts the allocations of calls that have run before.
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
    // The allocation counts are for an optimized build with modules as users build them, so no module is imported with
    // `@testable`.
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
    // Swift 5 app code for other libraries, with its tests.
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
    // The process that the tests of the model store kill.
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

// The privacy manifests for Apple's stores: every product depends on the first target. They are resources on Apple
// platforms only, because a resource bundle requires Foundation.
for target in package.targets where ["SwiftletBase", "SwiftletModelStore"].contains(target.name) {
  #if canImport(Darwin)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #else
    target.exclude = ["PrivacyInfo.xcprivacy"]
  #endif
}

// The locations of modules: `Sources` and `Tests` have a directory per layer, so that the listing explains the
// architecture.
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

// `SWIFTLET_TARGETS="SwiftletEngineTests"` keeps only the given targets and their dependencies, so that the tests of
// one module build in a fraction of the time. It's for developers, sanitizers, and emulators; no build requires it.
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

// The portable kernels are checked in as assembly, like those of every instruction set. Sanitizers don't instrument
// assembly. For them, and for CPUs without assembly, the sources are compiled with the package.
if Context.environment["SWIFTLET_COMPILES_KERNELS"] != nil {
  for target in package.targets where target.name == "SwiftletKernelSets" {
    target.cSettings = [.define("SWIFTLET_COMPILES_KERNELS")]
  }
  for target in package.targets where target.name == "SwiftletKernelSources" {
    target.swiftSettings?.append(.define("SWIFTLET_COMPILES_KERNELS"))
  }
}
