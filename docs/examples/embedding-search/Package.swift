// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embedding-search",
  platforms: [.macOS(.v13)],
  // Your own package names the address of Swiftlet's repository here, with a version.
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "SearchPictures",
      dependencies: [
        .product(name: "SwiftletVision", package: "swiftlet"),
        .product(name: "SwiftletImageCodecs", package: "swiftlet"),
        .product(name: "SwiftletModels", package: "swiftlet"),
      ])
  ]
)
