import Testing

@Suite("Imports")
struct ImportTests {
  /// What each target may import besides the standard library.
  static let allowed: [String: Set<String>] = [
    "SwiftletCLibrary": ["Glibc", "Musl", "Android", "Darwin"],
    "SwiftletSynchronization": ["CSwiftletSynchronization", "Synchronization", "os"],
    "SwiftletDisplayText": [],
    "SwiftletFlatBuffers": ["SwiftletCLibrary", "SwiftletDisplayText", "SwiftletSynchronization"],
    "SwiftletSchema": ["SwiftletDisplayText", "SwiftletFlatBuffers"],
    "SwiftletKernels": ["SwiftletCLibrary", "SwiftletKernelSets"],
    "SwiftletPortableKernels": ["SwiftletKernels", "_Builtin_intrinsics"],
    "SwiftletEngine": [
      "SwiftletCLibrary", "SwiftletDisplayText", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels", "Dispatch",
      "SwiftletSynchronization",
    ],
    "SwiftletOperators": [
      "SwiftletCLibrary", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels", "SwiftletEngine",
    ],
    "Swiftlet": ["SwiftletEngine", "SwiftletOperators", "Foundation", "FoundationEssentials"],
    "SwiftletImage": ["SwiftletCLibrary"],
    "SwiftletTasks": [
      "SwiftletDisplayText", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators",
      "Foundation",
    ],
    "SwiftletVision": [
      "SwiftletTasks",
      "SwiftletCLibrary", "SwiftletDisplayText", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletKernels",
      "SwiftletEngine", "SwiftletOperators", "SwiftletImage", "Foundation", "UIKit", "CoreGraphics", "CoreVideo",
      "CoreMedia",
    ],
    "SwiftletAudio": [
      "SwiftletCLibrary", "SwiftletDisplayText", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine",
      "SwiftletTasks", "Foundation",
    ],
    "SwiftletText": [
      "SwiftletTasks", "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine", "Foundation",
    ],
    "MLImage": ["SwiftletVision", "SwiftletImage", "Foundation", "UIKit", "CoreGraphics", "CoreVideo", "CoreMedia"],
    "MLKitCommon": ["SwiftletModelStore", "SwiftletTracking", "SwiftletVision", "SwiftletTasks", "Foundation"],
    "MLKitVision": [
      "MLKitCommon", "MLImage", "SwiftletVision", "SwiftletTasks", "SwiftletImage", "Foundation", "UIKit",
      "CoreGraphics", "CoreMedia",
    ],
    "MLKitObjectDetectionCommon": [
      "MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletVision", "SwiftletTasks", "SwiftletModels",
      "SwiftletModelStore",
    ],
    "MLKitObjectDetection": ["MLKitObjectDetectionCommon"],
    "MLKitObjectDetectionCustom": ["MLKitObjectDetectionCommon"],
    "MLKitImageLabelingCommon": [
      "MLKitVision", "MLKitCommon", "SwiftletTracking", "SwiftletVision", "SwiftletModels", "SwiftletModelStore",
    ],
    "MLKitImageLabeling": ["MLKitImageLabelingCommon"],
    "MLKitImageLabelingCustom": ["MLKitImageLabelingCommon"],
    "MLKit": [
      "MLImage", "MLKitCommon", "MLKitVision", "MLKitObjectDetectionCommon", "MLKitObjectDetection",
      "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon", "MLKitImageLabeling", "MLKitImageLabelingCustom",
    ],
    "TensorFlowLiteCommon": ["Swiftlet", "SwiftletSchema", "Foundation"],
    "TensorFlowLite": [
      "TensorFlowLiteCommon", "SwiftletEngine", "Foundation", "UIKit", "CoreGraphics", "CoreMedia", "CoreVideo",
      "Metal",
    ],
    "TensorFlowLiteTaskVision": [
      "MLImage", "TensorFlowLiteCommon", "SwiftletVision", "SwiftletImage", "Foundation",
    ],
    "LiteRT": ["CLiteRT", "TensorFlowLiteCommon", "SwiftletCLibrary", "SwiftletEngine", "Foundation"],
    "SwiftletTracking": [
      "SwiftletDisplayText", "SwiftletTasks", "SwiftletVision", "SwiftletImage", "SwiftletEngine", "SwiftletSchema",
      "Foundation",
      "SwiftletSynchronization",
    ],
    "MediaPipeTasksCommon": ["SwiftletTasks", "Foundation"],
    "MediaPipeTasksAudio": [
      "MediaPipeTasksCommon", "SwiftletTasks", "SwiftletAudio", "Foundation", "SwiftletSynchronization",
    ],
    "MediaPipeTasksText": ["MediaPipeTasksCommon", "SwiftletText", "SwiftletTasks", "Foundation"],
    "MediaPipeTasksVision": [
      "MediaPipeTasksCommon", "SwiftletTasks", "SwiftletVision", "SwiftletImage", "Foundation",
      "SwiftletSynchronization",
      "UIKit", "CoreGraphics",
      "CoreVideo", "CoreMedia",
    ],
    "SwiftletImageCodecs": [
      "SwiftletCLibrary", "SwiftletDisplayText", "SwiftletImage", "CImageCodecs", "CPNG", "CJPEG", "Foundation",
      "FoundationEssentials",
    ],
    "SwiftletScenes": ["SwiftletCLibrary", "SwiftletImage", "Dispatch", "SwiftletSynchronization"],
    "SwiftletModels": ["CSwiftletModels", "SwiftletVision"],
    "SwiftletModelStore": [
      "SwiftletCLibrary", "SwiftletDisplayText", "SwiftletFlatBuffers", "SwiftletSchema", "Dispatch",
      "SwiftletSynchronization",
      "Foundation",
      "FoundationNetworking",
    ],
    "SwiftletCommandLine": ["SwiftletCLibrary", "SwiftletDisplayText", "SwiftletSynchronization"],
    "SwiftletJSON": ["SwiftletDisplayText"],
    "SwiftletDrawing": ["SwiftletImage"],
    "SwiftletGolden": [
      "SwiftletFlatBuffers", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators", "SwiftletImage", "Foundation",
    ],
    "SwiftletMeasurement": ["SwiftletCLibrary", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators"],
    "SwiftletReports": ["CSwiftletReports", "SwiftletDisplayText", "SwiftletJSON"],
    "SwiftletTool": [
      "SwiftletDisplayText", "SwiftletFlatBuffers", "Swiftlet", "SwiftletSchema", "SwiftletEngine", "SwiftletOperators",
      "SwiftletKernels",
      "SwiftletImage",
      "SwiftletVision",
      "SwiftletImageCodecs", "SwiftletTracking", "SwiftletAudio", "SwiftletText", "SwiftletCommandLine", "SwiftletJSON",
      "SwiftletDrawing", "SwiftletGolden", "SwiftletMeasurement",
      "SwiftletModelStore",
      "SwiftletReports", "SwiftletScenes", "SwiftletModels", "CSwiftletToolModels", "Foundation",
      "SwiftletSynchronization",
    ],
    "SwiftletTrackingEvaluation": [
      "SwiftletTracking", "SwiftletCommandLine", "SwiftletJSON", "SwiftletTestSupport", "Foundation",
    ],
    "SwiftletBenchmarks": [
      "SwiftletSchema", "SwiftletEngine", "SwiftletOperators",
      "Swiftlet", "SwiftletKernels", "SwiftletVision", "SwiftletAudio", "SwiftletText", "SwiftletImageCodecs",
      "SwiftletCommandLine", "SwiftletJSON", "SwiftletMeasurement",
      "SwiftletTracking", "SwiftletTrackingEvaluation", "SwiftletTestSupport", "SwiftletScenes", "SwiftletModels",
      "Foundation", "SwiftletSynchronization",
    ],
  ]

  @Test("point down, and there is no Foundation below the tasks")
  func pointDown() {
    let files = ["Sources", "Benchmarks"].flatMap(SourceTree.swiftFiles)
    #expect(files.count > 100)
    for file in files {
      guard let allowed = Self.allowed[file.target] else {
        Issue.record("\(file.path): target \(file.target) has no entry in the list of allowed imports")
        continue
      }
      for module in Self.imports(file) where !allowed.contains(module) {
        Issue.record("\(file.path) imports \(module), which \(file.target) must not know")
      }
    }
  }

  @Test("of clients in the mode of Swift 5 name every façade")
  func swiftFiveClients() throws {
    let manifest = try SourceTree.text("Package.swift")
    let facades = Set(SourceTree.swiftFiles(in: "Sources/Facades").map(\.target))
      .filter { manifest.contains(".library(name: \"\($0)\"") }
    #expect(facades.count > 10)
    let clients = SourceTree.swiftFiles(in: "Tests/Facades/SwiftFiveClientTests")
      .filter { !$0.path.hasSuffix("Tests.swift") }
    let named = Set(clients.flatMap(Self.imports))
    #expect(facades.subtracting(named).isEmpty, "no client imports these")
  }

  @Test("name the platform's C library in one module")
  func oneCLibrary() throws {
    let names = try #require(Self.allowed["SwiftletCLibrary"])
    let files = ["Sources", "Benchmarks", "Tests", "Tools"].flatMap(SourceTree.swiftFiles)
    for file in files where file.target != "SwiftletCLibrary" {
      for module in Self.imports(file) where names.contains(module) {
        Issue.record("\(file.path) imports \(module); import SwiftletCLibrary instead")
      }
    }
  }

  /// The modules a file imports, without submodules and single declarations.
  static func imports(_ file: SourceTree.File) -> [String] {
    file.lines.compactMap { line in
      var words = line.split(separator: " ")
      while let first = words.first,
        first.hasPrefix("@") || ["package", "public", "internal", "private", "fileprivate"].contains(first)
      {
        words.removeFirst()
      }
      guard words.first == "import" else { return nil }
      words.removeFirst()
      if let kind = words.first, ["struct", "enum", "class", "protocol", "func", "typealias", "var"].contains(kind) {
        words.removeFirst()
      }
      return words.first?.split(separator: ".").first.map(String.init)
    }
  }
}
