// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embedding-search",
  platforms: [.macOS(.v13)],
  // In your own package, use the URL of Swiftlet's repository and a version.
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "SearchImages",
      dependencies: [
        .product(name: "SwiftletVision", package: "swiftlet"),
        .product(name: "SwiftletImageCodecs", package: "swiftlet"),
        .product(name: "SwiftletModels", package: "swiftlet"),
      ])
  ]
)
